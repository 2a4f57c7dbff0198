import { findPdfHeader } from '@rubrica/contracts/shared/recognise-type';

export interface HeaderSearch {
  /** Reads the next block. Its memory may be reused afterwards. */
  read(block: Uint8Array): void;
  /** Returns the number of bytes before the first PDF header; undefined if there was none. */
  found(): number | undefined;
}

/** One byte less than the header: the longest part of it at the end of a block. */
const carriedBytes = 4;

/** Creates a search over the blocks of a file of unknown type, to report how many bytes precede its PDF header. */
export function createHeaderSearch(): HeaderSearch {
  let found: number | undefined;
  let bytesRead = 0;
  let carried = Buffer.alloc(0);
  return {
    read(block) {
      if (found !== undefined) return;
      // A header across the boundary precedes any header inside this block.
      const between = Buffer.concat([carried, block.subarray(0, carriedBytes)]);
      const start = bytesRead - carried.length;
      const acrossBlocks = findPdfHeader(between);
      const inside = acrossBlocks === undefined ? findPdfHeader(block) : undefined;
      if (acrossBlocks !== undefined) found = start + acrossBlocks;
      else if (inside !== undefined) found = bytesRead + inside;
      bytesRead += block.length;
      carried = Buffer.from(
        block.length < carriedBytes
          ? Buffer.concat([carried, block]).subarray(-carriedBytes)
          : block.subarray(-carriedBytes),
      );
    },
    found: () => found,
  };
}
