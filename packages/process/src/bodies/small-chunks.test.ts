import { expect, test } from 'vitest';
import { createChunkCounter } from './small-chunks.ts';

/** Returns the number of chunks of these sizes at which the counter refuses; undefined if it takes them all. */
function refusedAfter(sizes: readonly number[]): number | undefined {
  const count = createChunkCounter();
  const index = sizes.findIndex((size) => !count(new Uint8Array(size)));
  return index < 0 ? undefined : index + 1;
}
const chunks = (count: number, size: number): number[] => Array(count).fill(size);

test('1,000 chunks may have any size', () => {
  expect(refusedAfter(chunks(1_000, 1))).toBeUndefined();
  expect(refusedAfter(chunks(2_000, 1))).toBeLessThan(1_100);
});

test('any number of chunks may have a mean of 32 bytes', () => {
  expect(refusedAfter(chunks(10_000, 32))).toBeUndefined();
  expect(refusedAfter(chunks(5_000, 63).flatMap((size) => [size, 1]))).toBeUndefined();
});

test('a large chunk does not pay for the small ones after it', () => {
  expect(refusedAfter([2_000_000, ...chunks(1_000, 1)])).toBeUndefined();
  expect(refusedAfter([2_000_000, ...chunks(2_000, 1)])).toBeLessThan(1_100);
});
