import { randomFillSync } from 'node:crypto';

// Random bytes for many ids at once: the expensive part is a call to the system's generator per id.
const pool = Buffer.allocUnsafe(10 * 256);
let used = pool.length;

/**
 * Creates a UUID version 7 (RFC 9562 §5.7): 48 bits of Unix time in ms, then 74 random bits. Ids of the same
 * millisecond have no order.
 *
 * @param nowMs Unix time in ms, for tests and for ids of things that began earlier
 */
export function uuidv7(nowMs: number = Date.now()): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const time = nowMs.toString(16).padStart(12, '0');
  pool[used] = ((pool[used] as number) & 0x0f) | 0x70;
  pool[used + 2] = ((pool[used + 2] as number) & 0x3f) | 0x80;
  const random = pool.toString('hex', used, used + 10);
  used += 10;
  return `${time.slice(0, 8)}-${time.slice(8)}-${random.slice(0, 4)}-${random.slice(4, 8)}-${random.slice(8)}`;
}

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function isUuidv7(text: string): boolean {
  return shape.test(text);
}
