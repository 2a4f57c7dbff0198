import { createSecretKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyMaterial } from '../key-files.ts';
import { withLengthPrefix } from './message-frame.ts';

/** Cached keys of senders that have proven their keys. A sender is a process with one pair of keys. */
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

/** Derived key and its sender, which is identified by its salt. */
export interface DerivedKey {
  readonly key: KeyObject;
  /** Caches the key. Call it only after authentication, or forged messages would displace keys in use. */
  remember(): void;
}

export interface PairKeys {
  /** Derives a key; undefined if one of the two keys is unknown here, or no longer known. */
  derive(pair: Pair, direction: Direction, salt: Buffer): DerivedKey | undefined;
  /** Returns the key ids of a new call to that service. */
  presentKids(receiver: string): { readonly caller: string; readonly receiver: string } | undefined;
}

/**
 * Creates the keys that two services derive from their own private key and the other's public one: X25519 (RFC 7748),
 * then HKDF-SHA-256 (RFC 5869) with the sender's salt. Everything is replaced with the key files that it was derived
 * from.
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
      if (before !== undefined && belongsTo(before, pair, direction)) return before.derived;
      const shared =
        pair.self === 'caller'
          ? agree(pair.callerKid, pair.receiver, pair.receiverKid)
          : agree(pair.receiverKid, pair.caller, pair.callerKid);
      if (shared === undefined) return undefined;
      const key = createSecretKey(
        Buffer.from(hkdfSync('sha256', shared, salt, buildInfo(pair, direction), 32)),
      );
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

/** Compares the names too: otherwise a sender that has proven a key could use it in another's name. */
function belongsTo(known: KnownKey, pair: Pair, direction: Direction): boolean {
  return (
    known.direction === direction &&
    known.pair.callerKid === pair.callerKid &&
    known.pair.receiverKid === pair.receiverKid &&
    known.pair.caller === pair.caller &&
    known.pair.receiver === pair.receiver
  );
}

/** Builds the HKDF info. It contains the names, so that a key is valid for no other pair, part or direction. */
function buildInfo({ caller, callerKid, receiver, receiverKid }: Pair, direction: Direction): Buffer {
  return Buffer.concat(
    ['rubrica bus v1', direction, caller, callerKid, receiver, receiverKid].map((text) =>
      withLengthPrefix(text),
    ),
  );
}
