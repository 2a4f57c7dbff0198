import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStructureBounded, structureLimits } from './check-structure.ts';

const bounded = (text: string) => isStructureBounded(Buffer.from(text));

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('JSON is bounded exactly while it is not nested too deeply, whatever its texts hold', () => {
  const { letrec } = fc;
  const { value } = letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 40, depthSize: 'max' },
      fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', 'a', ']', '\n') }),
      fc.tuple(tie('value')),
      fc.record({ '["\\': tie('value') }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.nat(40), (inner, wraps) => {
      let wrapped = inner;
      for (let index = 0; index < wraps; index += 1) wrapped = [wrapped];
      expect(bounded(JSON.stringify(wrapped))).toBe(depthOf(wrapped) <= structureLimits.maxDepth);
    }),
    { numRuns: 500 },
  );
});

test('a list of integers may be as long as the body, any other crowd may not', () => {
  expect(bounded(`{"a":[${'-128, '.repeat(500_000)}7]}`)).toBe(true);
  expect(bounded(`[${'null,'.repeat(100_000)}null]`)).toBe(false);
  expect(bounded(`[${'"",'.repeat(50_001)}""]`)).toBe(false);
  expect(bounded(`[${'1.5,'.repeat(100_001)}1]`)).toBe(false);
});

test('an unclosed text and a backslash at the end come to an end', () => {
  expect(bounded('{"a')).toBe(true);
  expect(bounded('"\\')).toBe(true);
  expect(bounded('"\\\\\\"')).toBe(true);
});
