import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHeaderSearch } from './seal-files.ts';

it('finds the first header of a PDF wherever the blocks of the file end', () => {
  const pieces = fc.array(fc.constantFrom('%PDF-', '%', '%PDF', 'PDF-', 'x', '%PD', '\0'), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(100), { maxLength: 20 }), (texts, cuts) => {
      const bytes = Buffer.from(texts.join(''));
      const search = createHeaderSearch();
      let from = 0;
      for (const to of [...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted(
        (a, b) => a - b,
      )) {
        const block = Buffer.from(bytes.subarray(from, to));
        search.read(block);
        block.fill('#');
        from = to;
      }
      const at = bytes.indexOf('%PDF-');
      expect(search.found()).toBe(at === -1 ? undefined : at);
    }),
    { numRuns: 5_000 },
  );
});
