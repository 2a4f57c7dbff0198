import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CrlInput,
  makeCrl,
  makeIssuing,
  makeRoot,
  makeSerial,
  type TestAuthority,
} from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { formatSerial } from '../certificate/serial.ts';
import type { CrlEntry } from './entry.ts';
import { parseCrl } from './parse.ts';

let issuing: TestAuthority;

beforeAll(async () => {
  issuing = await makeIssuing(await makeRoot());
});

const freshestUri = 'http://pki.example.test/pki/issuing-delta.crl';
const distributionPoint = 'http://pki.example.test/pki/issuing-s1.crl';
const revokedAt = new Date('2026-06-01T10:20:30Z');
const makeEntry = (reason: CrlEntry['reason'] = 'superseded'): CrlEntry => ({
  serial: formatSerial(makeSerial()),
  revokedAt,
  reason,
});
const read = async (overrides: Partial<CrlInput>) => parseCrl(await makeCrl(issuing, overrides));
const delta = { number: 9n, baseNumber: 7n } as const;
/** The list with other octets in place of the first that are like these, written in hexadecimal. */
const edited = async (overrides: Partial<CrlInput>, from: string, to: string) => {
  const list = Buffer.from(await makeCrl(issuing, overrides)).toString('hex');
  expect(list).toContain(from);
  return Buffer.from(list.replace(from, to), 'hex');
};
const criticalities = async (overrides: Partial<CrlInput>) => {
  const list = await read(overrides);
  return list.ok && list.value.extensions.map(({ oid: id, critical }) => [id, critical]);
};

describe('a delta list', () => {
  it('names its base in a critical extension, and gives back what it was built from', async () => {
    const entries = [makeEntry('keyCompromise'), makeEntry('removeFromCRL'), makeEntry('certificateHold')];
    const list = await read({ ...delta, entries });
    expect(list).toMatchObject({
      ok: true,
      value: { number: 9n, baseNumber: 7n, freshestUris: [], distributionPoint: undefined },
    });
    expect(list.ok && [...list.value.entries()]).toEqual(entries);
    expect(list.ok && list.value.find(entries[1]?.serial ?? '')).toEqual(entries[1]);
    expect(await criticalities(delta)).toEqual([
      ['2.5.29.35', false],
      ['2.5.29.20', false],
      ['2.5.29.27', true],
    ]);
  });

  it.each<[string, Partial<CrlInput>]>([
    ['that is not younger than its base', { number: 7n, baseNumber: 7n }],
    ['that names a delta list itself', { number: 9n, baseNumber: 7n, freshestUri }],
  ])('%s is not made', async (_, overrides) => {
    await expect(async () => makeCrl(issuing, overrides)).rejects.toThrow(RangeError);
  });
});

describe('a complete list', () => {
  it('names its delta list in an extension that no program must know', async () => {
    expect(await read({ freshestUri })).toMatchObject({
      ok: true,
      value: { freshestUris: [freshestUri], baseNumber: undefined },
    });
    expect((await criticalities({ freshestUri })) || []).toContainEqual(['2.5.29.46', false]);
  });

  it('never says that a certificate is good again', async () => {
    const entries = [makeEntry('removeFromCRL')];
    await expect(async () => makeCrl(issuing, { entries })).rejects.toThrow(RangeError);
    // The indicator under an identifier that nobody must know: what is left looks complete.
    const disguised = await edited({ ...delta, entries }, '0603551d1b0101ff', '0603551d7e010100');
    expect(parseCrl(disguised)).toMatchObject({
      ok: false,
      error: { reason: 'removeFromCRL in a complete list' },
    });
  });
});

describe('the reader', () => {
  it.each<[string, Partial<CrlInput>, string, string, string]>([
    [
      'a delta whose indicator is not critical',
      delta,
      '0603551d1b0101ff',
      '0603551d1b010100',
      'a delta list whose indicator is not critical',
    ],
    [
      'a delta that is its own base',
      delta,
      '0603551d1b0101ff0403020107',
      '0603551d1b0101ff0403020109',
      'a delta list older than its base',
    ],
    [
      'a delta that names a delta',
      { ...delta, distributionPoint },
      '0603551d1c',
      '0603551d2e',
      'a delta list that names a delta list',
    ],
    [
      'an extension that stands twice',
      { freshestUri, distributionPoint },
      '0603551d1c',
      '0603551d2e',
      'an extension that stands twice',
    ],
    [
      'a critical extension that it does not know',
      { distributionPoint },
      '0603551d1c',
      '0603551d7e',
      'critical extension 2.5.29.126 is not used here',
    ],
  ])('refuses %s', async (_, overrides, from, to, reason) => {
    expect(parseCrl(await edited(overrides, from, to))).toMatchObject({ ok: false, error: { reason } });
  });

  const entries = (...reasons: CrlEntry['reason'][]) => reasons.map(makeEntry);
  it.each<[string, () => Partial<CrlInput>]>([
    ['delta lists', () => ({ ...delta, entries: entries('keyCompromise', 'removeFromCRL', 'unspecified') })],
    ['delta lists of a shard', () => ({ ...delta, distributionPoint, entries: entries('certificateHold') })],
    ['complete lists that name a delta', () => ({ freshestUri, entries: entries('superseded') })],
    ['complete lists without any limit', () => ({ entries: entries('unspecified', 'superseded') })],
  ])('answers 5,000 damaged %s with a value, and never takes a delta for the whole', async (_, overrides) => {
    const good = await makeCrl(issuing, overrides());
    const indicator = Buffer.from('0603551d1b', 'hex');
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: mutated(good) }, fc.uint8Array({ maxLength: 400 })),
        (bytes) => {
          const list = parseCrl(bytes);
          seen.add(list.ok ? 'read' : list.error.code);
          if (!list.ok) return;
          const { value } = list;
          const found = [...value.entries()];
          expect(found.length).toBe(value.entryCount);
          const isDelta = value.baseNumber !== undefined;
          if (isDelta) expect(value.number).toBeGreaterThan(value.baseNumber ?? 0n);
          else expect(found.map(({ reason }) => reason)).not.toContain('removeFromCRL');
          const marked = value.extensions.some(({ oid }) => oid === '2.5.29.27');
          expect(isDelta).toBe(marked);
          if (marked) expect(Buffer.from(bytes).includes(indicator)).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
    expect([...seen].toSorted()).toEqual(['MALFORMED', 'read']);
  });
});
