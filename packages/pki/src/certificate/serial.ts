import { type DerNode, Malformed, readIntegerBytes } from '../der/read.ts';
import { unsignedInteger } from '../der/write.ts';

/** Random octets per serial number: 118 of their 120 bits stay random, and 64 must (CABF BR §7.1). */
export const SERIAL_RANDOM_BYTES = 15;

/**
 * Creates a serial number of 15 random octets: positive and always of the same length. Two bits are fixed: the sign is
 * 0, the next is 1. RFC 5280 §4.1.2.2 allows 20 octets. But OpenSSL prints numbers of 128 bits and more as `0x…`, and
 * invoice signers on PHP write that text into `X509SerialNumber`, which requires a decimal number.
 */
export function serialFromRandom(random: Uint8Array): Uint8Array {
  if (random.length !== SERIAL_RANDOM_BYTES) throw new RangeError('a serial number takes 15 random octets');
  const serial = Uint8Array.from(random);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

/** Formats as upper-case hexadecimal without separators, like OpenSSL. */
export function formatSerial(serial: Uint8Array): string {
  return Buffer.from(serial).toString('hex').toUpperCase();
}

/**
 * Recognises a number of `serialFromRandom` in the form of `formatSerial`. Those of earlier releases have 20 octets,
 * and their certificates stay valid for years.
 */
export function isOwnSerial(serial: string): boolean {
  return /^[4-7](?:[0-9A-F]{29}|[0-9A-F]{39})$/.test(serial);
}

/**
 * Content octets of the longest serial number: 20, as earlier releases and other authorities write, and one for the
 * sign.
 */
const MAX_SERIAL_OCTETS = 21;

/** Encodes a serial number in the form of `formatSerial` as an INTEGER. Throws a RangeError on any other text. */
export function serialInteger(serial: string): Uint8Array {
  const octets = Buffer.from(serial, 'hex');
  const whole = octets.length > 0 && octets.length * 2 === serial.length;
  if (!whole || octets.length > MAX_SERIAL_OCTETS) throw new RangeError('not a serial number in hexadecimal');
  return unsignedInteger(octets);
}

/**
 * Reads a serial number in the form of `formatSerial`. Throws `Malformed` if it is negative or longer than RFC 5280
 * allows.
 */
export function readSerial(node: DerNode): string {
  const octets = readIntegerBytes(node);
  if ((octets[0] ?? 0) >= 0x80) throw new Malformed('negative serial number');
  if (octets.length > MAX_SERIAL_OCTETS) throw new Malformed('serial number of more than 20 octets');
  return formatSerial(octets);
}
