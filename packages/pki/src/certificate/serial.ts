import { type DerNode, Malformed, readIntegerBytes } from '../der/read.ts';
import { unsignedInteger } from '../der/write.ts';

/** Random octets to ask for: 158 of their 160 bits stay random. */
export const SERIAL_RANDOM_BYTES = 20;

/**
 * Serial number out of 20 random octets: positive, always exactly 20 octets (RFC 5280 §4.1.2.2 allows no more),
 * so it reads the same in every program. Two bits are fixed: sign off, the next on.
 */
export function serialFromRandom(random: Uint8Array): Uint8Array {
  if (random.length !== SERIAL_RANDOM_BYTES) throw new RangeError('a serial number takes 20 random octets');
  const serial = Uint8Array.from(random);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

/** Upper-case hexadecimal without separators, as OpenSSL prints it. */
export function formatSerial(serial: Uint8Array): string {
  return Buffer.from(serial).toString('hex').toUpperCase();
}

/** Content octets of the longest serial number: twenty, and one for the sign. */
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
