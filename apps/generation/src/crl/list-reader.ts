import type { CrlEntry } from '@rubrica/pki';

/** Entry of a list; its bytes are read once and not kept. */
export type ListEntry = Pick<CrlEntry, 'serial' | 'revokedAt'> & { readonly reason: number };

/** Reads a list of this service in parts; a list of a million entries is never held whole. */
export interface ListReader {
  /**
   * Reads the entries that these bytes complete.
   * @throws RangeError on anything but a list of this service
   */
  read(part: Uint8Array): Iterable<ListEntry>;
  /** Undefined before the first part. */
  readonly head: Pick<Head, 'thisUpdate' | 'signed'> | undefined;
  /** Bytes after the last entry: extensions, algorithm and signature. */
  readonly tail: Buffer;
}

const tags = { integer: 0x02, bits: 0x03, sequence: 0x30, utcTime: 0x17, generalizedTime: 0x18 } as const;

/** Maximum size of extensions and signature. */
const maxTailBytes = 16 * 1024;

export function createListReader(): ListReader {
  let rest = Buffer.alloc(0);
  let left = 0;
  let head: Head | undefined;
  return {
    get head() {
      return head;
    },
    get tail() {
      return rest;
    },
    *read(part) {
      rest = Buffer.concat([rest, part]);
      if (head === undefined) {
        head = readHead(rest);
        rest = rest.subarray(head.end);
        left = head.entryOctets;
      }
      let at = 0;
      while (left > 0 && at + 2 <= rest.length) {
        const end = at + 2 + (rest[at + 1] ?? 0);
        if (end > rest.length) break;
        yield readEntry(rest.subarray(at, end));
        left -= end - at;
        at = end;
      }
      rest = rest.subarray(at);
      if (left === 0 && rest.length > maxTailBytes) throw new RangeError('not a list of this service');
    },
  };
}

/**
 * Reads the time of issue from the first bytes of a list.
 * @throws RangeError on anything else
 */
export function readThisUpdate(head: Uint8Array): Date {
  return readHead(Buffer.from(head)).thisUpdate;
}

/**
 * Reads the signature of a list from the bytes after its signed part (RFC 5280 §5.1.1).
 * @throws RangeError on anything else
 */
export function readSignature(bytes: Buffer): Buffer {
  const algorithm = readElement(bytes, 0, tags.sequence);
  const bits = readElement(bytes, algorithm.end, tags.bits);
  return bytes.subarray(bits.start + 1, bits.end);
}

interface Head {
  readonly thisUpdate: Date;
  /** Offsets of the signed part. */
  readonly signed: { readonly start: number; readonly end: number };
  /** Offset of the first entry. */
  readonly end: number;
  /** Size of all entries; 0 for a list without entries. */
  readonly entryOctets: number;
}

/** Parses everything before the entries, which the first part contains (RFC 5280 §5.1). */
function readHead(bytes: Buffer): Head {
  const list = readElement(bytes, 0, tags.sequence);
  const signed = readElement(bytes, list.start, tags.sequence);
  const version = readElement(bytes, signed.start, tags.integer);
  const algorithm = readElement(bytes, version.end, tags.sequence);
  const issuer = readElement(bytes, algorithm.end, tags.sequence);
  const thisUpdate = readElement(bytes, issuer.end, tags.utcTime, tags.generalizedTime);
  const nextUpdate = readElement(bytes, thisUpdate.end, tags.utcTime, tags.generalizedTime);
  const isEmpty = bytes[nextUpdate.end] !== tags.sequence;
  const entries = isEmpty ? undefined : readElement(bytes, nextUpdate.end, tags.sequence);
  return {
    thisUpdate: readTime(bytes.subarray(issuer.end, thisUpdate.end)),
    signed: { start: list.start, end: signed.end },
    end: entries?.start ?? nextUpdate.end,
    entryOctets: entries === undefined ? 0 : entries.end - entries.start,
  };
}

function readElement(bytes: Buffer, at: number, ...allowedTags: number[]): { start: number; end: number } {
  const first = bytes[at + 1];
  if (first === undefined || !allowedTags.includes(bytes[at] ?? -1))
    throw new RangeError('not a revocation list');
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const size = first - 0x80;
  if (size < 1 || size > 4 || at + 2 + size > bytes.length) throw new RangeError('not a revocation list');
  const start = at + 2 + size;
  return { start, end: start + bytes.readUIntBE(at + 2, size) };
}

/** Reads an entry that `writeCrlEntry` wrote: serial number, time, and a reason in the last byte. */
function readEntry(entry: Buffer): ListEntry {
  if (entry[0] !== tags.sequence || entry[2] !== tags.integer) throw new RangeError('not an entry of a list');
  const serialEnd = 4 + (entry[3] ?? 0);
  const timeEnd = serialEnd + 2 + (entry[serialEnd + 1] ?? 0);
  return {
    serial: entry.toString('hex', 4, serialEnd).toUpperCase(),
    revokedAt: readTime(entry.subarray(serialEnd, timeEnd)),
    reason: timeEnd < entry.length ? (entry.at(-1) ?? 0) : 0,
  };
}

function readTime(element: Buffer): Date {
  const digits = element.toString('latin1', 2);
  // RFC 5280 §4.1.2.5.1: two digits are a year from 1950 to 2049.
  const text =
    element[0] === tags.generalizedTime ? digits : `${Number(digits.slice(0, 2)) < 50 ? 20 : 19}${digits}`;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  if (second === undefined) throw new RangeError('not a time of a list');
  return new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  );
}
