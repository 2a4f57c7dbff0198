import { createSecretKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyMaterial } from '../key-files.ts';
import { prefixed } from './message-frame.ts';

/** Keys of senders that have shown that they hold them. A sender is a process with one pair of keys. */
const maxKnown = 2_000;

/** Two services, their parts in a call, and the key of each. */
export interface Pair {
  readonly self: 'caller' | 'receiver';
  readonly caller: string;
  readonly callerKid: string;
  readonly receiver: string;
  readonly receiverKid: string;
}

export type Direction = 'call' | 'answer';

/** A derived key and its sender, which is known by its salt. */
export interface DerivedKey {
  readonly key: KeyObject;
  /** Remembers it: only what was authentic may, or what is made up would push out what is in use. */
  remember(): void;
}

export interface PairKeys {
  /** Undefined where one of the two keys is not, or no longer, known here. */
  derive(pair: Pair, direction: Direction, salt: Buffer): DerivedKey | undefined;
  /** Key ids of a call to this service that is made now. */
  presentKids(receiver: string): { readonly caller: string; readonly receiver: string } | undefined;
}

/**
 * Keys that two services derive from their own private key and the other's public one: X25519 (RFC 7748), then
 * HKDF-SHA-256 (RFC 5869) with the sender's salt. Everything goes with the key files that it was derived from.
 */
export function createPairKeys({ own, peers }: Pick<KeyMaterial, 'own' | 'peers'>): PairKeys {
  const agreed = new Map<string, KeyObject>();
  const known = new LRUCache<string, KnownKey>({ max: maxKnown });
  const agree = (ownKid: string, other: string, otherKid: string): KeyObject | undefined => {
    const name = `${ownKid} ${other} ${otherKid}`;
    const before = agreed.get(name);
    if (before !== undefined) return before;
    const privateKey = own.opening.get(ownKid);
    const publicKey = peers.get(other)?.agreeing.get(otherKid);
    if (privateKey === undefined || publicKey === undefined) return undefined;
    const secret = diffieHellman({ privateKey, publicKey });
    const key = createSecretKey(secret);
    secret.fill(0);
    agreed.set(name, key);
    return key;
  };
  return {
    derive(pair, direction, salt) {
      const name = salt.toString('latin1');
      const before = known.get(name);
      if (before !== undefined && isOf(before, pair, direction)) return before.derived;
      const shared =
        pair.self === 'caller'
          ? agree(pair.callerKid, pair.receiver, pair.receiverKid)
          : agree(pair.receiverKid, pair.caller, pair.callerKid);
      if (shared === undefined) return undefined;
      const key = createSecretKey(Buffer.from(hkdfSync('sha256', shared, salt, info(pair, direction), 32)));
      const derived: DerivedKey = {
        key,
        remember: () => known.set(name, { pair, direction, derived: kept }),
      };
      const kept: DerivedKey = { key, remember() {} };
      return derived;
    },
    presentKids(receiver) {
      const caller = own.opening.keys().next().value;
      const sealing = peers.get(receiver)?.sealing?.kid;
      return caller === undefined || sealing === undefined ? undefined : { caller, receiver: sealing };
    },
  };
}

interface KnownKey {
  readonly pair: Pair;
  readonly direction: Direction;
  readonly derived: DerivedKey;
}

/** The names too: else who has shown a key as itself could use it in the name of another. */
function isOf(known: KnownKey, pair: Pair, direction: Direction): boolean {
  return (
    known.direction === direction &&
    known.pair.callerKid === pair.callerKid &&
    known.pair.receiverKid === pair.receiverKid &&
    known.pair.caller === pair.caller &&
    known.pair.receiver === pair.receiver
  );
}

/** The names are in it, so that a key is good for no other pair, part or direction. */
function info({ caller, callerKid, receiver, receiverKid }: Pair, direction: Direction): Buffer {
  return Buffer.concat(
    ['rubrica bus v1', direction, caller, callerKid, receiver, receiverKid].map((text) => prefixed(text)),
  );
}
