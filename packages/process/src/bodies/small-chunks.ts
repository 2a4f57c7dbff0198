/** Number of chunks of a body that may have any size. */
const freeChunks = 1_000;
/** Size of chunks that is always sufficient, in bytes. */
export const minChunkBytes = 64;
/** A chunk arrives in two parts if a read of the socket ends inside it. */
const minMeanBytes = minChunkBytes / 2;
const maxDebtBytes = freeChunks * minMeanBytes;

/**
 * Counts the chunks of one body. Each costs the HTTP parser some microseconds, however small it is: a body in chunks of
 * one byte takes a thousand times the CPU of the same body in one.
 *
 * Small chunks add a debt, larger ones reduce it to no less than zero. A mean over the whole body would let one large
 * chunk pay for a million small ones.
 *
 * @returns a function that counts a chunk, and returns false once a part of the body has a mean below 32 bytes, and
 * more than 1,000 chunks
 */
export function createChunkCounter(): (chunk: Uint8Array) => boolean {
  let debtBytes = 0;
  return ({ length }) => {
    debtBytes = Math.max(0, debtBytes + minMeanBytes - length);
    return debtBytes <= maxDebtBytes;
  };
}
