import { createVerify, type KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parseCrlScope } from '@rubrica/pki';
import { createListReader, type ListReader, readSignature } from './list-reader.ts';
import { createPreviousList, type PreviousList } from './previous-list.ts';
import type { SignedList } from './signed-lists.ts';

/** Size of the shortest entry of this service. */
const minEntryBytes = 30;

/** Bytes read in one tick of the event loop. */
const tickBytes = 32 * 1024;

export interface PreviousListRules {
  /** Number, time and size from the audit entry of the list. */
  readonly stated: Pick<SignedList, 'number' | 'thisUpdate' | 'octets'>;
  /** Key of the authority. */
  readonly publicKey: KeyObject;
  /** Address of the only certificates that the list covers; undefined for all. */
  readonly distributionPoint: string | undefined;
}

/**
 * Reads the entries of a stored complete list; undefined if it is not the stated one. The authority's signature
 * decides: the audit entry has only a MAC, which a stolen key file can create too.
 */
export async function readPreviousList(
  pieces: AsyncIterable<Uint8Array>,
  rules: PreviousListRules,
): Promise<PreviousList | undefined> {
  const reader = createListReader();
  const verifier = createVerify('sha256');
  let position = 0;
  try {
    const list = createPreviousList(Math.ceil(rules.stated.octets / minEntryBytes));
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += tickBytes) {
        const part = piece.subarray(at, at + tickBytes);
        for (const entry of reader.read(part)) list.add(entry);
        const { start = 0, end = 0 } = reader.head?.signed ?? {};
        verifier.update(part.subarray(Math.max(start - position, 0), Math.max(end - position, 0)));
        position += part.length;
        await setImmediate();
      }
    }
    const { extensions, signature } = readTail(reader, position);
    const key = { key: rules.publicKey, dsaEncoding: 'der' } as const;
    return isStated(reader, extensions, rules) && verifier.verify(key, signature) ? list : undefined;
  } catch (err) {
    if (err instanceof RangeError) return undefined;
    throw err;
  }
}

function readTail({ head, tail }: ListReader, octets: number) {
  const signedOctets = (head?.signed.end ?? 0) - (octets - tail.length);
  return {
    extensions: tail.subarray(0, signedOctets),
    signature: readSignature(tail.subarray(signedOctets)),
  };
}

/** Checks that this is the stated list: the authority also signs deltas and lists of shards, and signed older lists. */
function isStated(
  { head }: ListReader,
  extensions: Uint8Array,
  { stated, distributionPoint }: PreviousListRules,
): boolean {
  const scope = parseCrlScope(extensions);
  return (
    scope.ok &&
    scope.value.number === BigInt(stated.number) &&
    scope.value.baseNumber === undefined &&
    scope.value.distributionPoint === distributionPoint &&
    head?.thisUpdate.getTime() === stated.thisUpdate.getTime()
  );
}
