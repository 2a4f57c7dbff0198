import { setImmediate } from 'node:timers/promises';
import { type ToBeSigned, toParts } from './tbs.ts';

/** Octets per tick of the event loop: a few milliseconds of hashing. */
const turnOctets = 1024 * 1024;

/**
 * Passes all octets on, a limited amount per tick of the event loop: a list of a million entries has 50 MB, and other
 * work waits.
 */
export async function forEachSlice(tbs: ToBeSigned, take: (octets: Uint8Array) => unknown): Promise<void> {
  let taken = 0;
  for (const part of toParts(tbs)) {
    for (let at = 0; at < part.length; ) {
      if (taken >= turnOctets) {
        await setImmediate();
        taken = 0;
      }
      const octets = part.subarray(at, at + turnOctets - taken);
      take(octets);
      at += octets.length;
      taken += octets.length;
    }
  }
}
