import { isHexDigit, isSimpleEscape } from './grammar.ts';

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

/**
 * Finds the end of a string, or of its part in the chunk, from its first escape on. It is one loop over all bytes: a
 * search for each escape would take quadratic time.
 *
 * @returns index of the closing quote, or of the first incomplete or invalid escape, or the chunk's length
 */
export function skipEscapes(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at];
    if (byte === quote) return at;
    if (byte !== backslash) at += 1;
    else {
      const length = escapeLength(chunk, at);
      if (length === 0) return at;
      at += length;
    }
  }
  return at;
}

/**
 * Returns the length of an escape.
 * @returns 0 if the escape (RFC 8259 §7) is incomplete or invalid
 */
function escapeLength(chunk: Uint8Array, at: number): number {
  const kind = chunk[at + 1];
  if (kind !== letterU) return isSimpleEscape(kind) ? 2 : 0;
  const isWhole =
    isHexDigit(chunk[at + 2]) &&
    isHexDigit(chunk[at + 3]) &&
    isHexDigit(chunk[at + 4]) &&
    isHexDigit(chunk[at + 5]);
  return isWhole ? 6 : 0;
}
