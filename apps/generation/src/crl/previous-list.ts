import { type CrlEntry, revocationReasons } from '@rubrica/pki';
import type { ListEntry } from './list-reader.ts';

/** Entries of the previous list in a few arrays: 38 bytes each, without objects. */
export interface PreviousList {
  readonly count: number;
  add(entry: ListEntry): void;
  /**
   * Marks an entry as kept.
   * @returns true if the previous list has the same entry
   */
  keep(entry: CrlEntry): boolean;
  /** Returns whether an entry with that serial number was kept. */
  hasKept(serial: string): boolean;
  /** Lists the serial numbers without a kept entry, in pages. */
  missing(pageRows: number): Iterable<readonly string[]>;
}

/** Lengths of a serial number: 15 bytes, or 20 in certificates of earlier releases. */
const lengths: readonly number[] = [15, 20];
/** Length, serial number and zero padding. */
const keyOctets = 21;

/**
 * Encodes a serial number.
 * @returns undefined for one that is not from this service
 */
function toKey(serial: string): Buffer | undefined {
  const octets = Buffer.from(serial, 'hex');
  if (!lengths.includes(octets.length)) return undefined;
  const key = Buffer.alloc(keyOctets);
  key[0] = octets.length;
  octets.copy(key, 1);
  return key;
}

function toSerial(key: Buffer): string {
  return key.toString('hex', 1, 1 + (key[0] ?? 0)).toUpperCase();
}

/**
 * Creates the list.
 * @param most maximum number of entries
 */
export function createPreviousList(most: number): PreviousList {
  const keys = Buffer.alloc(most * keyOctets);
  const values = new Float64Array(most);
  const isKept = new Uint8Array(most);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(most, 1) * 2))).fill(-1);
  let count = 0;

  function findSlot(key: Buffer): number {
    let slot = hashKey(key) & (slots.length - 1);
    for (;;) {
      const index = slots[slot] ?? -1;
      if (index < 0 || keyAt(index).equals(key)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }
  function keyAt(index: number): Buffer {
    return keys.subarray(index * keyOctets, (index + 1) * keyOctets);
  }
  function find(serial: string): number {
    const key = toKey(serial);
    return key === undefined ? -1 : (slots[findSlot(key)] ?? -1);
  }
  return {
    get count() {
      return count;
    },
    hasKept: (serial) => isKept[find(serial)] === 1,
    add({ serial, revokedAt, reason }) {
      const key = toKey(serial);
      if (key === undefined || count >= most) throw new RangeError('not a list of this service');
      key.copy(keys, count * keyOctets);
      values[count] = toValue(revokedAt, reason);
      slots[findSlot(key)] = count;
      count += 1;
    },
    keep({ serial, revokedAt, reason }) {
      const index = find(serial);
      if (index < 0) return false;
      // A complete list, which both are, never has `removeFromCRL`.
      const code = reason === 'removeFromCRL' ? -1 : revocationReasons[reason];
      const isSame = values[index] === toValue(revokedAt, code);
      if (isSame) isKept[index] = 1;
      return isSame;
    },
    *missing(pageRows) {
      let page: string[] = [];
      for (let index = 0; index < count; index++) {
        if (isKept[index] === 1) continue;
        page.push(toSerial(keyAt(index)));
        if (page.length < pageRows) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
  };
}

function hashKey(key: Buffer): number {
  let hash = key[0] ?? 0;
  for (let at = 1; at < keyOctets; at += 4) hash = Math.imul(hash ^ key.readInt32BE(at), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function toValue(revokedAt: Date, reason: number): number {
  return Math.floor(revokedAt.getTime() / 1_000) * 16 + reason;
}
