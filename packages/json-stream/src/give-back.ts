/** Smaller pieces are left to the garbage collector. */
const minBytes = 8 * 1024;

/**
 * Gives the memory of a piece back at once. Left to the garbage collector, pieces of a large document come to some 60 MB
 * before it runs, and its runs delay all other calls. Only for a piece that is not read any more; one that shares its
 * memory with others is left alone.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < minBytes || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
  buffer.transfer(0);
}
