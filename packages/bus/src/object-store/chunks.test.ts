import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChunker } from './chunks.ts';

function cut(pieces: readonly Uint8Array[], size: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  const chunker = createChunker(size, (chunk) => chunks.push(chunk));
  for (const piece of pieces) chunker.push(piece);
  chunker.end();
  expect(chunker.heldBytes()).toBe(0);
  return chunks;
}

describe('cutting pieces into chunks', () => {
  it('keeps every byte in order and fills every chunk but the last', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 40 }), (source, size) => {
        const chunks = cut(source, size);
        expect(Buffer.concat(chunks)).toEqual(Buffer.concat(source));
        expect(chunks.slice(0, -1).every((chunk) => chunk.length === size)).toBe(true);
        expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= size)).toBe(true);
      }),
    );
  });

  it('tells of each piece that it has copied, once, and reads nothing of it afterwards', () => {
    const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 40 }), (source, size) => {
        const whole = Buffer.concat(source);
        const chunks: Uint8Array[] = [];
        const spent: Uint8Array[] = [];
        const chunker = createChunker(
          size,
          (chunk) => chunks.push(chunk),
          (piece) => spent.push(piece.fill(0)),
        );
        for (const piece of source) chunker.push(piece);
        chunker.end();
        expect(Buffer.concat(chunks)).toEqual(whole);
        expect(new Set(spent).size).toBe(spent.length);
        const shared = source.filter((piece) => chunks.some((chunk) => chunk.buffer === piece.buffer));
        expect(new Set([...spent, ...shared])).toEqual(new Set(source));
      }),
    );
  });

  it('takes bytes as they are', () => {
    const bytes = Buffer.from('hello');
    expect(cut([bytes], 100)).toEqual([bytes]);
  });
});
