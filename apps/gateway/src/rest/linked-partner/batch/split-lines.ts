/** Piece of one line. Blank lines have none. */
export interface LinePiece {
  /** Line number from 1, including blank lines. */
  readonly line: number;
  /** View of its chunk, without line separators; may be empty. */
  readonly bytes: Buffer;
  /** True for the last piece of the line. */
  readonly isLast: boolean;
}

export interface LineSplitter {
  push(chunk: Buffer): Iterable<LinePiece>;
  /** Ends the body: the last line needs no line feed. */
  end(): Iterable<LinePiece>;
}

const lineFeed = 0x0a;
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);
const byteOrderMark = Buffer.from('\ufeff');
const empty = Buffer.alloc(0);

/** Creates a splitter of JSON lines across chunks; it retains only an incomplete byte-order mark. */
export function createLineSplitter(): LineSplitter {
  let line = 1;
  /** True once the current line has more than white space. */
  let isOpen = false;
  let matchedMarkBytes = 0;

  /** Removes white space before a line's first byte. */
  const trimStart = (bytes: Buffer): Buffer => {
    if (isOpen) return bytes;
    let start = 0;
    while (start < bytes.length && blanks.has(bytes[start] as number)) start += 1;
    return bytes.subarray(start);
  };
  const createPieces = (bytes: Buffer, isLast: boolean): LinePiece[] => {
    const rest = trimStart(bytes);
    isOpen ||= rest.length > 0;
    if (!isOpen || (rest.length === 0 && !isLast)) return [];
    return [{ line, bytes: rest, isLast }];
  };
  /** Returns the rest of a chunk after the mark; an incomplete mark belongs to the line. */
  const skipMark = (chunk: Buffer): Buffer => {
    let skipped = 0;
    while (matchedMarkBytes < byteOrderMark.length && skipped < chunk.length) {
      if (chunk[skipped] !== byteOrderMark[matchedMarkBytes]) return restoreMark(chunk.subarray(skipped));
      matchedMarkBytes += 1;
      skipped += 1;
    }
    return chunk.subarray(skipped);
  };
  const restoreMark = (rest: Buffer): Buffer => {
    const partialMark = byteOrderMark.subarray(0, matchedMarkBytes);
    matchedMarkBytes = byteOrderMark.length;
    return partialMark.length === 0 ? rest : Buffer.concat([partialMark, rest]);
  };

  return {
    *push(chunk) {
      let rest = matchedMarkBytes < byteOrderMark.length ? skipMark(chunk) : chunk;
      for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
        yield* createPieces(rest.subarray(0, end), true);
        isOpen = false;
        line += 1;
        rest = rest.subarray(end + 1);
      }
      yield* createPieces(rest, false);
    },
    *end() {
      const partialMark = matchedMarkBytes < byteOrderMark.length ? restoreMark(empty) : empty;
      yield* createPieces(partialMark, true);
    },
  };
}
