import type { IncomingMessage } from 'node:http';
import { releaseMemory } from '@rubrica/json-stream';
import { createChunkCounter, sendContinue } from '@rubrica/process/bodies';

export interface ReadLimits {
  /** Maximum time without a byte, in milliseconds. */
  readonly silenceMs: number;
  /** Ends the reading after the current piece. */
  readonly stop: AbortSignal;
}

/** End of a body that was complete; a sender that disconnects or is silent, and `stop`, end it without. */
interface EndOfBody {
  readonly kind: 'end';
}

/** End of a chunk, which may contain blank lines alone. */
interface EndOfChunk {
  readonly kind: 'chunk-end';
  /** Number of the current line, blank or not. */
  readonly line: number;
  /** Size of the chunk. */
  readonly bytes: number;
}

/**
 * Reads the lines of a body piece by piece, without a time limit. Reading pauses while a piece is processed. The memory
 * of a piece may be reused after the next one is read.
 */
export async function* readLinePieces(
  request: IncomingMessage,
  limits: ReadLimits,
): AsyncGenerator<LinePiece | EndOfChunk | EndOfBody> {
  const splitter = createLineSplitter();
  for await (const read of readChunks(request, limits)) {
    for (const piece of read.kind === 'chunk' ? splitter.push(read.chunk) : splitter.end()) {
      if (limits.stop.aborted) break;
      yield piece;
    }
    if (read.kind === 'end') return yield read;
    releaseMemory(read.chunk);
    if (!limits.stop.aborted) yield { kind: 'chunk-end', line: splitter.line(), bytes: read.chunk.length };
  }
}

/**
 * Reads a body in chunks. Time in which a chunk is processed does not count as silence of the sender. Leaves the
 * connection open, because the answer is still being sent.
 */
async function* readChunks(
  request: IncomingMessage,
  { silenceMs, stop }: ReadLimits,
): AsyncGenerator<{ readonly kind: 'chunk'; readonly chunk: Buffer } | EndOfBody> {
  const chunks: Buffer[] = [];
  let hasEnded = request.readableEnded;
  let isBroken = false;
  let wake: (() => void) | undefined;
  const count = createChunkCounter();
  const onData = (chunk: Buffer) => {
    if (!count(chunk)) return void request.socket.destroy();
    request.pause();
    chunks.push(chunk);
    wake?.();
  };
  const onEnd = () => {
    hasEnded = true;
    wake?.();
  };
  const onBroken = () => {
    isBroken = true;
    wake?.();
  };
  const onStop = () => wake?.();
  // Between two waits a chunk is processed.
  const timer = setTimeout(() => wake && onBroken(), silenceMs);
  timer.unref();
  const waitForEvent = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      timer.refresh();
      request.resume();
    });
  stop.addEventListener('abort', onStop);
  sendContinue(request);
  request.on('data', onData).on('end', onEnd).on('error', onBroken);
  try {
    while (!stop.aborted) {
      const chunk = chunks.shift();
      if (chunk !== undefined) yield { kind: 'chunk', chunk };
      else if (hasEnded) return yield { kind: 'end' };
      else if (isBroken) return;
      else {
        await waitForEvent();
        wake = undefined;
      }
    }
  } finally {
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd).off('error', onBroken);
    stop.removeEventListener('abort', onStop);
    // Whoever discards the rest resumes. Until then its chunks would pass without being counted.
    request.pause();
  }
}

/** Piece of one line. Blank lines have none. */
export interface LinePiece {
  readonly kind: 'piece';
  /** Line number from 1, including blank lines. */
  readonly line: number;
  /** View of its chunk, without line separators; may be empty. */
  readonly bytes: Buffer;
  /** True for the last piece of the line. */
  readonly isLast: boolean;
}

export interface LineSplitter {
  push(chunk: Buffer): Iterable<LinePiece>;
  /** Returns the number of the current line, blank or not. */
  line(): number;
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
    return [{ kind: 'piece', line, bytes: rest, isLast }];
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
    line: () => line,
    *end() {
      const partialMark = matchedMarkBytes < byteOrderMark.length ? restoreMark(empty) : empty;
      yield* createPieces(partialMark, true);
    },
  };
}
