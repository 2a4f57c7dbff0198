import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Row, readAll } from '../src/read-all.ts';
import type { Reader } from '../src/readers/reader.ts';
import { readers } from '../src/readers/readers.ts';
import { choices } from '../src/samples/choices.ts';
import { makeSamples } from '../src/samples/make-samples.ts';
import { serveSamples } from '../src/samples/serve-samples.ts';
import { toLine } from '../src/table.ts';

/** A folder that goes away. */
function scratch(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'rubrica-interop-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Enough of them that every program meets both encodings, long names and what a partner's setting chooses. */
const wanted = new Set(['natural-legacy', 'long-names', 'document-signing', 'other-name', 'rotated']);

describe('programs of other makers', () => {
  const folder = scratch();
  let rows: readonly Row[] = [];
  beforeAll(async () => {
    const made = choices.filter(({ name }) => wanted.has(name));
    const worlds = [
      await makeSamples(join(folder.path, 'made'), made),
      await serveSamples(join(folder.path, 'served')),
    ];
    rows = await readAll(readers, { worlds });
  });
  afterAll(() => folder[Symbol.dispose]());

  it.each(readers.map((reader) => [reader.name, reader] as const))(
    '%s find no fault, or are not there',
    (_, reader: Reader) => {
      const row = rows.find((one) => one.reader === reader);
      expect(row?.failed).toEqual([]);
      expect(row?.missing ?? row?.passed).not.toBe(0);
    },
  );
});

describe('the table', () => {
  const reader = { name: 'A reader', does: 'reads' };
  const nothing = { reader, passed: 0, failed: [], cannot: [], missing: undefined };

  it('says in one line what passed, what failed and why, what is beyond a program, and what is missing', () => {
    expect(toLine({ ...nothing, passed: 3 })).toMatch(/^A reader +passed 3 {3}reads$/);
    const failed = [{ sample: 'natural', what: 'opens', fault: 'no' }];
    expect(toLine({ ...nothing, passed: 3, failed })).toMatch(/FAILED 1 of 4.*\n {4}natural: opens: no$/);
    const cannot = [{ sample: 'p-256', what: 'signs', cannot: 'RSA alone' }];
    expect(toLine({ ...nothing, cannot })).toMatch(/\n {4}cannot, RSA alone: p-256$/);
    expect(toLine({ ...nothing, missing: 'x is not installed' })).toMatch(/left out: x is not installed$/);
  });

  it('counts a reader that breaks down as failed', async () => {
    using folder = scratch();
    const broken: Reader = {
      ...reader,
      missing: () => undefined,
      read: () => Promise.reject(new Error('broke down')),
    };
    const world = await makeSamples(folder.path, choices.slice(0, 1));
    const [row] = await readAll([broken], { worlds: [world] });
    expect(row?.failed).toEqual([{ sample: 'all', what: 'runs', fault: 'broke down' }]);
  });
});
