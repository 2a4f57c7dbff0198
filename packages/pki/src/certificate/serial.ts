import { type DerNode, Malformed, readIntegerBytes } from '../der/read.ts';
import { unsignedInteger } from '../der/write.ts';

/** Random octets to ask for: 118 of their 120 bits stay random, and 64 must (CABF BR §7.1). */
export const SERIAL_RANDOM_BYTES = 15;

/**
 * Makes a serial number of 15 random octets: positive and always of the same length. Two bits are fixed: sign off, the
 * next on. RFC 5280 §4.1.2.2 allows 20 octets, but OpenSSL prints numbers of 128 bits and more as `0x…`, and invoice
 * signers on PHP write that text into `X509SerialNumber`, which takes a decimal number.
 */
export function serialFromRandom(random: Uint8Array): Uint8Array {
  if (random.length !== SERIAL_RANDOM_BYTES) throw new RangeError('a serial number takes 15 random octets');
  const serial = Uint8Array.from(random);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

/** Upper-case hexadecimal without separators, as OpenSSL prints it. */
export function formatSerial(serial: Uint8Array): string {
  return Buffer.from(serial).toString('hex').toUpperCase();
}

/**
 * Tells a number of `serialFromRandom` in the form of `formatSerial`. Those of earlier releases have 20 octets, and their
 * certificates run on for years.
 */
export function isOwnSerial(serial: string): boolean {
  return /^[4-7](?:[0-9A-F]{29}|[0-9A-F]{39})$/.test(serial);
}

/** Content octets of the longest serial number: 20, as earlier releases and other authorities write, and one for the sign. */
const MAX_SERIAL_OCTETS = 21;

/** The INTEGER of a serial number in the form of `formatSerial`. Throws a RangeError on text that is none. */
export function serialInteger(serial: string): Uint8Array {
  const octets = Buffer.from(serial, 'hex');
  const whole = octets.length > 0 && octets.length * 2 === serial.length;
  if (!whole || octets.length > MAX_SERIAL_OCTETS) throw new RangeError('not a serial number in hexadecimal');
  return unsignedInteger(octets);
}

/** A serial number as `formatSerial` writes it. Negative or longer than any of RFC 5280: throws `Malformed`. */
export function readSerial(node: DerNode): string {
  const octets = readIntegerBytes(node);
  if ((octets[0] ?? 0) >= 0x80) throw new Malformed('negative serial number');
  if (octets.length > MAX_SERIAL_OCTETS) throw new Malformed('serial number of more than 20 octets');
  return formatSerial(octets);
}
