import { findPdfHeader } from '@rubrica/contracts/shared/recognise-type';

export interface HeaderSearch {
  /** The block that follows the one before. Its memory may be used again afterwards. */
  read(block: Uint8Array): void;
  /** Octets before the first header of a PDF; undefined where none was seen. */
  found(): number | undefined;
}

/** One octet less than the header: what of it a block may end with. */
const carriedOctets = 4;

/** Searches a file of unknown type that arrives in blocks, so that its sender can be told what stands before the PDF. */
export function createHeaderSearch(): HeaderSearch {
  let found: number | undefined;
  let octets = 0;
  let carried = Buffer.alloc(0);
  return {
    read(block) {
      if (found !== undefined) return;
      // Between the blocks first: a header there stands before any inside this one.
      const between = Buffer.concat([carried, block.subarray(0, carriedOctets)]);
      const start = octets - carried.length;
      const atSeam = findPdfHeader(between);
      const inside = atSeam === undefined ? findPdfHeader(block) : undefined;
      if (atSeam !== undefined) found = start + atSeam;
      else if (inside !== undefined) found = octets + inside;
      octets += block.length;
      carried = Buffer.from(
        block.length < carriedOctets
          ? Buffer.concat([carried, block]).subarray(-carriedOctets)
          : block.subarray(-carriedOctets),
      );
    },
    found: () => found,
  };
}
