import { expect, it } from 'vitest';
import {
  boundedScan,
  type NameSearches,
  type ScanCursor,
  type ScanResult,
  type TermSize,
} from './bounded-scan.ts';
import { toTerms } from './search-words.ts';

const limit = 2;
const page = ['one', 'other'];
const may: ScanCursor = { at: '2026-05-01 00:00:00+00', id: '0199aa00-0000-7000-8000-000000000001' };
const june: ScanCursor = { at: '2026-06-01 00:00:00.5+00', id: '0199aa00-0000-7000-8000-000000000001' };
const lowerInJune: ScanCursor = { ...june, id: '0199aa00-0000-7000-8000-000000000000' };

interface Given {
  readonly near?: ScanResult<string>;
  readonly sizes?: Readonly<Record<string, TermSize>>;
  readonly few?: ScanResult<string>;
  readonly many?: ScanResult<string>;
  readonly isRare?: boolean;
}

const none: ScanResult<string> = { rows: [], reached: june };
const size = (count: number, words = 1): TermSize => ({
  count,
  words: Array.from({ length: words }, String),
});

/** What one look for "ana maria" gives, and which ways it has gone. */
async function look({ near = none, sizes = {}, few = none, many = none, isRare = false }: Given) {
  const ways: string[] = [];
  const taken = (way: string, looked: ScanResult<string>) => {
    ways.push(way);
    return Promise.resolve(looked);
  };
  const looks: NameSearches<string> = {
    walk: (_terms, distance) => taken(distance, distance === 'near' ? near : { rows: ['far'], reached: may }),
    size: async ({ termFrom }) => sizes[termFrom] ?? size(0),
    few: ({ termFrom }) => taken(`few ${termFrom}`, few),
    many: ({ termFrom, words }) => taken(`many ${termFrom} ${words.length}`, many),
  };
  return {
    ...(await boundedScan(looks, { alternatives: toTerms(['ana', 'maria']), limit, isRare })),
    ways,
  };
}

it('ends with the newest where they fill the page, or are all', async () => {
  expect(await look({ near: { rows: page, reached: june } })).toMatchObject({ rows: page, ways: ['near'] });
  expect(await look({ near: { rows: ['one'], reached: null } })).toMatchObject({
    rows: ['one'],
    ways: ['near'],
  });
});

it('reads the entries of the rarest term, all where they are few', async () => {
  const few = { rows: ['rare'], reached: null };
  expect(await look({ sizes: { ana: size(9), maria: size(8) }, few })).toMatchObject({
    ...few,
    ways: ['near', 'few maria'],
  });
  const many = { rows: page, reached: june };
  const sizes = { ana: size(5_000, 21), maria: size(5_000, 20) };
  expect(await look({ sizes, many })).toMatchObject({ ...many, ways: ['near', 'many maria 20'] });
});

it('looks at more of the newest where too many words begin alike', async () => {
  const sizes = { ana: size(5_000, 21), maria: size(5_000, 21) };
  expect(await look({ sizes })).toEqual({ rows: ['far'], reached: may, ways: ['near', 'far'] });
});

it('gives what has looked back further, where neither came to the end', async () => {
  const sizes = { ana: size(5_000), maria: size(6_000) };
  const ofMay = { rows: ['older'], reached: may };
  const ofJune = { rows: ['newer'], reached: june };
  expect(await look({ sizes, near: ofJune, many: ofMay })).toMatchObject(ofMay);
  expect(await look({ sizes, near: ofMay, many: ofJune })).toMatchObject(ofMay);
  const lower = { rows: ['lower'], reached: lowerInJune };
  expect(await look({ sizes, near: ofJune, many: lower })).toMatchObject(lower);
  expect(await look({ sizes, near: lower, many: ofJune })).toMatchObject(lower);
});

it('reads at once the entries of what is rare', async () => {
  const few = { rows: ['her'], reached: null };
  expect(await look({ isRare: true, few })).toMatchObject({ ...few, ways: ['few ana'] });
});
