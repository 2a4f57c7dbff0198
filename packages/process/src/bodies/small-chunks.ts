/** Number of chunks of a body that may have any size. */
const freeChunks = 1_000;
/** Size of chunks that is always sufficient, in bytes. */
export const minChunkBytes = 64;
/** A chunk arrives in two parts if a read of the socket ends inside it. */
const minMeanBytes = minChunkBytes / 2;

/**
 * Counts the chunks of one body. Each costs the HTTP parser some microseconds, however small it is: a body in chunks of
 * one byte takes a thousand times the CPU of the same body in one.
 *
 * @returns a function that counts a chunk, and returns false once more than 1,000 have arrived with a mean below 32
 * bytes
 */
export function createChunkCounter(): (chunk: Uint8Array) => boolean {
  let chunks = 0;
  let bytes = 0;
  return ({ length }) => {
    chunks += 1;
    bytes += length;
    return chunks <= freeChunks || bytes >= chunks * minMeanBytes;
  };
}
