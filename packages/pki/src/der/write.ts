/**
 * Minimal DER (X.690) to write certificates, their lists, OCSP answers and PKCS#12 files. It is own code because it is
 * short, has no schema layer that would cost time on every certificate, and shows every signed byte plainly.
 */

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Encodes one element: identifier octet, definite length in its shortest form, content. */
export function tlv(tag: number, ...content: Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of content) length += part.length;
  const head = elementHead(tag, length);
  // From Node's buffer pool: a certificate consists of some hundred small pieces, each copied into the next.
  const out = Buffer.allocUnsafe(head.length + length);
  out.set(head);
  let at = head.length;
  for (const part of content) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Encodes the part before the content of an element, so that large content need not be copied. */
export function elementHead(tag: number, length: number): Uint8Array {
  return Uint8Array.of(tag, ...lengthOctets(length));
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return [0x80 | octets.length, ...octets];
}

export function sequence(...content: Uint8Array[]): Uint8Array {
  return tlv(tags.sequence, ...content);
}

/** Encodes a SET OF: DER orders the members by their encoding (X.690 §11.6). */
export function encodeSet(...members: Uint8Array[]): Uint8Array {
  return tlv(tags.set, ...members.toSorted(Buffer.compare));
}

export function octetString(content: Uint8Array): Uint8Array {
  return tlv(tags.octetString, content);
}

export function nullValue(): Uint8Array {
  return new Uint8Array([tags.null, 0]);
}

export function boolean(value: boolean): Uint8Array {
  return new Uint8Array([tags.boolean, 1, value ? 0xff : 0]);
}

/** Encodes a non-negative INTEGER from its big-endian magnitude; leading zeros are dropped, a sign octet is added. */
export function unsignedInteger(magnitude: Uint8Array): Uint8Array {
  let start = 0;
  while (start < magnitude.length - 1 && magnitude[start] === 0) start++;
  const bytes = magnitude.subarray(start);
  if (bytes.length === 0) return new Uint8Array([tags.integer, 1, 0]);
  return (bytes[0] ?? 0) >= 0x80 ? tlv(tags.integer, new Uint8Array([0]), bytes) : tlv(tags.integer, bytes);
}

/** Encodes a small non-negative INTEGER. */
export function integer(value: number): Uint8Array {
  const octets: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return unsignedInteger(new Uint8Array(octets));
}

/** Encodes a non-negative INTEGER of any size. */
export function bigInteger(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError('negative numbers are not written here');
  const digits = value.toString(16);
  return unsignedInteger(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'));
}

/** Encodes an ENUMERATED up to 127. */
export function encodeEnumerated(value: number): Uint8Array {
  return new Uint8Array([tags.enumerated, 1, value]);
}

/** Encodes a BIT STRING of whole octets. */
export function bitString(content: Uint8Array): Uint8Array {
  return tlv(tags.bitString, new Uint8Array([0]), content);
}

/** Encodes a BIT STRING of named bits: DER drops the trailing zero bits (X.690 §11.2.2). */
export function namedBits(bits: readonly number[]): Uint8Array {
  if (bits.length === 0) return new Uint8Array([tags.bitString, 1, 0]);
  const highest = Math.max(...bits);
  const octets = new Uint8Array(Math.floor(highest / 8) + 1);
  for (const bit of bits)
    octets[Math.floor(bit / 8)] = (octets[Math.floor(bit / 8)] ?? 0) | (0x80 >> (bit % 8));
  return tlv(tags.bitString, new Uint8Array([7 - (highest % 8)]), octets);
}

/**
 * Encodes an OBJECT IDENTIFIER from dotted form. Throws on any other text: identifiers come from code or configuration.
 */
export function oid(dotted: string): Uint8Array {
  if (!isOid(dotted)) throw new RangeError(`"${dotted}" is not an object identifier`);
  const arcs = dotted.split('.').map(BigInt);
  const octets: number[] = [];
  const joined = (arcs[0] ?? 0n) * 40n + (arcs[1] ?? 0n);
  for (const arc of [joined, ...arcs.slice(2)]) {
    const group = [Number(arc & 0x7fn)];
    for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) group.unshift(Number(rest & 0x7fn) | 0x80);
    octets.push(...group);
  }
  return tlv(tags.objectIdentifier, new Uint8Array(octets));
}

/** Tells whether the text is an object identifier in dotted form, for example from configuration. */
export function isOid(dotted: string): boolean {
  return dotted.length <= 200 && /^([01]\.([1-3]?\d)|2\.(0|[1-9]\d*))(\.(0|[1-9]\d*))*$/.test(dotted);
}

export function utf8String(text: string): Uint8Array {
  return tlv(tags.utf8String, Buffer.from(text, 'utf8'));
}

export function printableString(text: string): Uint8Array {
  return tlv(tags.printableString, Buffer.from(text, 'latin1'));
}

export function ia5String(text: string): Uint8Array {
  return tlv(tags.ia5String, Buffer.from(text, 'latin1'));
}

export function bmpString(text: string): Uint8Array {
  return tlv(tags.bmpString, utf16BigEndian(text));
}

export function utf16BigEndian(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Encodes the time of a certificate: UTCTime up to 2049, GeneralizedTime from 2050 (RFC 5280 §4.1.2.5). */
export function certificateTime(date: Date): Uint8Array {
  const out = Buffer.allocUnsafe(MAX_TIME_OCTETS);
  return out.subarray(0, writeCertificateTime(out, 0, date));
}

/** Octets of the longest time, with its head. */
export const MAX_TIME_OCTETS = 17;

/** Writes the time of a certificate at `offset` and returns its end: a list of millions needs no piece for each. */
export function writeCertificateTime(target: Uint8Array, offset: number, date: Date): number {
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999) throw new RangeError('a time that DER cannot carry');
  const utc = year >= 1950 && year < 2050;
  let at = offset;
  target[at++] = utc ? tags.utcTime : tags.generalizedTime;
  target[at++] = utc ? 13 : 15;
  if (!utc) at = writeTwoDigits(target, at, Math.floor(year / 100));
  at = writeTwoDigits(target, at, year % 100);
  at = writeTwoDigits(target, at, date.getUTCMonth() + 1);
  at = writeTwoDigits(target, at, date.getUTCDate());
  at = writeTwoDigits(target, at, date.getUTCHours());
  at = writeTwoDigits(target, at, date.getUTCMinutes());
  at = writeTwoDigits(target, at, date.getUTCSeconds());
  target[at] = 0x5a;
  return at + 1;
}

function writeTwoDigits(target: Uint8Array, offset: number, value: number): number {
  target[offset] = 0x30 + Math.floor(value / 10);
  target[offset + 1] = 0x30 + (value % 10);
  return offset + 2;
}

/** Encodes GeneralizedTime for any year, without a fraction, as OCSP requires (RFC 6960 §4.2.2.1, RFC 5019 §2.2.4). */
export function generalizedTime(date: Date): Uint8Array {
  return tlv(
    tags.generalizedTime,
    Buffer.from(date.toISOString().replaceAll(/\.\d{3}|[-:T]/g, ''), 'latin1'),
  );
}

/** Encodes an EXPLICIT context tag, constructed. */
export function encodeExplicit(tag: number, content: Uint8Array): Uint8Array {
  return tlv(0xa0 | tag, content);
}

/** Encodes an IMPLICIT context tag over primitive content octets. */
export function implicitPrimitive(tag: number, content: Uint8Array): Uint8Array {
  return tlv(0x80 | tag, content);
}

/** Encodes an IMPLICIT context tag over members. */
export function implicitConstructed(tag: number, ...content: Uint8Array[]): Uint8Array {
  return tlv(0xa0 | tag, ...content);
}
