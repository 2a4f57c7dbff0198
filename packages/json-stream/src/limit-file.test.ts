import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectingSink } from './decode-document.ts';
import { createJsonDecoder } from './decoder.ts';

const least = 1_024;

/** Base64 with blanks between its characters, as many as `blanks` says before each sixteenth of it. */
function spread(bytes: Uint8Array, blanks: readonly number[]): string {
  const text = Buffer.from(bytes).toString('base64');
  const step = Math.ceil(text.length / 16) || 1;
  return blanks
    .map((count, index) => `${' '.repeat(count)}${text.slice(index * step, (index + 1) * step)}`)
    .join('');
}

it('shows the first 1,024 bytes of a file, or all of it, before anything is decided by them', () => {
  const files = fc.record({
    bytes: fc.uint8Array({ minLength: 1, maxLength: 4_000 }),
    blanks: fc.array(fc.constantFrom(0, 1, 9_000, 20_000), { minLength: 16, maxLength: 16 }),
    cuts: fc.array(fc.nat(100_000), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(files, ({ bytes, blanks, cuts }) => {
      const heads: number[] = [];
      const blocks: number[] = [];
      const plan = {
        maxFieldBytes: 65_536,
        maxBytesOf: (head: Uint8Array) => {
          heads.push(head.length);
          return 1_000_000;
        },
        files: ['scan'],
      };
      const decoder = createJsonDecoder(plan, () => {
        const sink = collectingSink();
        return {
          ...sink,
          write(block: Uint8Array) {
            blocks.push(block.length);
            sink.write(block);
          },
        };
      });
      const document = Buffer.from(`{"scan":"${spread(bytes, blanks)}"}`);
      let from = 0;
      for (const to of [...cuts.filter((cut) => cut < document.length), document.length].toSorted(
        (a, b) => a - b,
      )) {
        const piece = Buffer.from(document.subarray(from, to));
        decoder.push(piece);
        piece.fill('#');
        from = to;
      }
      const file = decoder.end().files.get('scan');
      expect(file).toEqual({ kind: 'file', file: Buffer.from(bytes) });
      expect(heads).toHaveLength(1);
      expect(heads[0]).toBeGreaterThanOrEqual(Math.min(least, bytes.length));
      expect(blocks[0]).toBe(heads[0]);
    }),
    { numRuns: 500 },
  );
});
