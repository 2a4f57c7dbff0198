import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inChunks } from './chunks.ts';

describe('cutting a source into chunks', () => {
  it('keeps every byte in order and fills every chunk but the last', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 40 }), async (source, size) => {
        const chunks = await collect(inChunks(source, size));
        expect(Buffer.concat(chunks)).toEqual(Buffer.concat(source));
        expect(chunks.slice(0, -1).every((chunk) => chunk.length === size)).toBe(true);
        expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= size)).toBe(true);
      }),
    );
  });

  it('takes bytes as they are', async () => {
    const bytes = Buffer.from('hello');
    expect(await collect(inChunks(bytes, 100))).toEqual([bytes]);
  });
});

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
