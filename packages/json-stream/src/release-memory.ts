/** Smaller pieces are left to the garbage collector. */
const minBytes = 8 * 1024;

/**
 * Frees the memory of a piece at once. The garbage collector would run only after pieces of a large document occupy
 * some 60 MB, and its runs delay all other calls. Only for a piece that is not read again; a piece that shares its
 * memory is left unchanged.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < minBytes || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
  buffer.transfer(0);
}
