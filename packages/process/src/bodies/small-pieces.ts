import type { IncomingMessage } from 'node:http';

/** Pieces of a body that may have any size. */
const freePieces = 1_000;
/** Size of chunks that is always enough, in bytes. */
export const minChunkBytes = 64;
/** The end of what the socket brings may divide a chunk, which then comes as two pieces. */
const minMeanBytes = minChunkBytes / 2;

interface Arrived {
  pieces: number;
  bytes: number;
}

const arrived = new WeakMap<IncomingMessage, Arrived>();

/**
 * Counts a piece of a body. Each chunk costs the parser of HTTP some microseconds, however small it is: a body in chunks
 * of one byte takes a thousand times the CPU of the same body in one.
 *
 * @returns false once there are so many small pieces that the connection should end
 */
export function countPiece(request: IncomingMessage, { length }: Uint8Array): boolean {
  const counts = arrived.get(request) ?? { pieces: 0, bytes: 0 };
  arrived.set(request, counts);
  counts.pieces += 1;
  counts.bytes += length;
  return !isCutSmall(counts);
}

/** Tells whether the body came in so many small pieces that its connection should end. */
export function hasSmallPieces(request: IncomingMessage): boolean {
  const counts = arrived.get(request);
  return counts !== undefined && isCutSmall(counts);
}

function isCutSmall({ pieces, bytes }: Arrived): boolean {
  return pieces > freePieces && bytes < pieces * minMeanBytes;
}
