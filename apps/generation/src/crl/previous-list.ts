import { type CrlEntry, revocationReasons } from '@rubrica/pki';
import type { ListEntry } from './list-reader.ts';

/** Entries of the previous list, in a few arrays: 37 octets each, and no object. */
export interface PreviousList {
  readonly count: number;
  add(entry: ListEntry): void;
  /** Marks an entry as kept. @returns true if the previous list had the same one */
  keep(entry: CrlEntry): boolean;
  /** Finds out if an entry with that serial number was kept. */
  hasKept(serial: string): boolean;
  /** Serial numbers that nothing was kept of, in pages. */
  missing(pageRows: number): Iterable<readonly string[]>;
}

const serialOctets = 20;

/** @param most entries that there can be */
export function createPreviousList(most: number): PreviousList {
  const serials = Buffer.alloc(most * serialOctets);
  const values = new Float64Array(most);
  const isKept = new Uint8Array(most);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(most, 1) * 2))).fill(-1);
  let count = 0;

  function slotOf(serial: Buffer): number {
    let slot = hashSerial(serial) & (slots.length - 1);
    for (;;) {
      const index = slots[slot] ?? -1;
      if (index < 0 || serialAt(index).equals(serial)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }
  function serialAt(index: number): Buffer {
    return serials.subarray(index * serialOctets, (index + 1) * serialOctets);
  }
  function find(serial: string): number {
    const octets = Buffer.from(serial, 'hex');
    return octets.length === serialOctets ? (slots[slotOf(octets)] ?? -1) : -1;
  }
  return {
    get count() {
      return count;
    },
    hasKept: (serial) => isKept[find(serial)] === 1,
    add({ serial, revokedAt, reason }) {
      const octets = Buffer.from(serial, 'hex');
      if (octets.length !== serialOctets || count >= most) throw new RangeError('not a list of this service');
      octets.copy(serials, count * serialOctets);
      values[count] = toValue(revokedAt, reason);
      slots[slotOf(octets)] = count;
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
        page.push(serialAt(index).toString('hex').toUpperCase());
        if (page.length < pageRows) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
  };
}

function hashSerial(serial: Buffer): number {
  let hash = 0;
  for (let at = 0; at < serialOctets; at += 4) hash = Math.imul(hash ^ serial.readInt32BE(at), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function toValue(revokedAt: Date, reason: number): number {
  return Math.floor(revokedAt.getTime() / 1_000) * 16 + reason;
}
