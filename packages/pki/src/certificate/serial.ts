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
export const formatSerial = (serial: Uint8Array): string => Buffer.from(serial).toString('hex').toUpperCase();
