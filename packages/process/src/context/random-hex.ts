import { randomFillSync } from 'node:crypto';

/** Asking the system for a few bytes costs what asking for thousands does: most of the price of a span. */
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** So many random bytes in hexadecimal, for ids. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used;
  used += bytes;
  return pool.toString('hex', start, used);
}
