import { randomFillSync } from 'node:crypto';

/**
 * Random bytes in stock. Asking the system for a few bytes costs as much as asking for thousands: most of the price of
 * a span.
 */
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** Returns random bytes in hexadecimal, for ids. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used;
  used += bytes;
  return pool.toString('hex', start, used);
}
