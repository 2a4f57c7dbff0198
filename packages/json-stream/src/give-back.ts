/** Smaller pieces are left to the collector, which has them by the way. */
const minBytes = 8 * 1024;

/**
 * Gives the memory of a piece back at once: left to the collector, pieces of a large body pile up to some 60 MB before
 * it comes, and its visits hold up everybody. Only for a piece that nobody looks at any more; one that shares its memory
 * with others is left alone.
 */
export function giveBack({ buffer, byteLength }: Buffer): void {
  if (byteLength < minBytes || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
  buffer.transfer(0);
}
