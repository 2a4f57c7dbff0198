import { expect, test } from 'vitest';
import { releaseMemory } from './release-memory.ts';

test('the memory of a piece of its own is given back', () => {
  const piece = Buffer.allocUnsafeSlow(64 * 1024);
  releaseMemory(piece);
  expect(piece.length).toBe(0);
});

test.each([
  ['shares its memory with others', () => Buffer.allocUnsafeSlow(64 * 1024).subarray(0, 32 * 1024)],
  ['is small', () => Buffer.allocUnsafeSlow(100)],
])('a piece that %s stays as it is', (_what, make) => {
  const piece = make();
  const { length } = piece;
  releaseMemory(piece);
  expect(piece.length).toBe(length);
});
