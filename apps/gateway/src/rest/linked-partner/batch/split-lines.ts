/** A piece of one line. Blank lines have none. */
export interface LinePiece {
  /** From 1; blank lines count. */
  readonly line: number;
  /** A view of the chunk that it came with, without what divides lines; may be empty. */
  readonly bytes: Buffer;
  /** Whether the line ends with it. */
  readonly isLast: boolean;
}

export interface LineSplitter {
  push(chunk: Buffer): Iterable<LinePiece>;
  /** The body has ended: a last line needs no line feed. */
  end(): Iterable<LinePiece>;
}

const lineFeed = 0x0a;
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);
const byteOrderMark = Buffer.from('\ufeff');
const nothing = Buffer.alloc(0);

/** Divides a body of JSON lines wherever its pieces are cut; keeps no byte of it but a begun byte-order mark. */
export function createLineSplitter(): LineSplitter {
  let line = 1;
  /** Whether the present line has shown more than white space. */
  let isOpen = false;
  let marked = 0;

  /** Without white space before a line's first byte. */
  const from = (bytes: Buffer): Buffer => {
    if (isOpen) return bytes;
    let start = 0;
    while (start < bytes.length && blanks.has(bytes[start] as number)) start += 1;
    return bytes.subarray(start);
  };
  const piece = (bytes: Buffer, isLast: boolean): LinePiece[] => {
    const rest = from(bytes);
    isOpen ||= rest.length > 0;
    if (!isOpen || (rest.length === 0 && !isLast)) return [];
    return [{ line, bytes: rest, isLast }];
  };
  /** What is left of a chunk after the mark; a mark that breaks off was none, and belongs to the line. */
  const afterMark = (chunk: Buffer): Buffer => {
    let skipped = 0;
    while (marked < byteOrderMark.length && skipped < chunk.length) {
      if (chunk[skipped] !== byteOrderMark[marked]) return unmarked(chunk.subarray(skipped));
      marked += 1;
      skipped += 1;
    }
    return chunk.subarray(skipped);
  };
  const unmarked = (rest: Buffer): Buffer => {
    const begun = byteOrderMark.subarray(0, marked);
    marked = byteOrderMark.length;
    return begun.length === 0 ? rest : Buffer.concat([begun, rest]);
  };

  return {
    *push(chunk) {
      let rest = marked < byteOrderMark.length ? afterMark(chunk) : chunk;
      for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
        yield* piece(rest.subarray(0, end), true);
        isOpen = false;
        line += 1;
        rest = rest.subarray(end + 1);
      }
      yield* piece(rest, false);
    },
    *end() {
      const begun = marked < byteOrderMark.length ? unmarked(nothing) : nothing;
      yield* piece(begun, true);
    },
  };
}
