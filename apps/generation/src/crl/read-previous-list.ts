import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createListReader } from './list-reader.ts';
import { createPreviousList, type PreviousList } from './previous-list.ts';
import type { SignedList } from './signed-lists.ts';

/** Octets of the shortest entry of ours. */
const entryOctets = 30;

/** Octets read in one turn of the event loop. */
const turnOctets = 32 * 1024;

/** Reads the entries of a stored list; undefined where its octets are not those that were signed. */
export async function readPreviousList(
  pieces: AsyncIterable<Uint8Array>,
  { octets, sha256 }: Pick<SignedList, 'octets' | 'sha256'>,
): Promise<PreviousList | undefined> {
  const list = createPreviousList(Math.ceil(octets / entryOctets));
  const reader = createListReader();
  const digest = createHash('sha256');
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += turnOctets) {
        const part = piece.subarray(at, at + turnOctets);
        digest.update(part);
        for (const entry of reader.read(part)) list.add(entry);
        await setImmediate();
      }
    }
  } catch (err) {
    if (err instanceof RangeError) return undefined;
    throw err;
  }
  return digest.digest('hex') === sha256 ? list : undefined;
}
