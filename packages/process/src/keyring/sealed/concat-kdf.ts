import { createHash } from 'node:crypto';

/** Purpose of the key. Parties are empty unless both sides know a name for them. */
export interface KeyUse {
  /** `alg` of a header, or `enc` if the agreed key encrypts the content itself. */
  readonly algorithm: string;
  readonly bits: 128 | 192 | 256;
  readonly partyU?: string;
  readonly partyV?: string;
}

/**
 * Derives a key by Concat KDF (NIST SP 800-56A §5.8.1) as in RFC 7518 §4.6.2, with SHA-256: keys of up to 256 bits need
 * one iteration.
 */
export function concatKdf(
  sharedSecret: Uint8Array,
  { algorithm, bits, partyU = '', partyV = '' }: KeyUse,
): Buffer {
  const digest = createHash('sha256')
    .update(uint32(1))
    .update(sharedSecret)
    .update(lengthPrefixed(algorithm))
    .update(lengthPrefixed(partyU))
    .update(lengthPrefixed(partyV))
    .update(uint32(bits))
    .digest();
  return digest.subarray(0, bits / 8);
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
