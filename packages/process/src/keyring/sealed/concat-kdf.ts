import { createHash } from 'node:crypto';

/** What the key is for. Parties are empty unless both sides know a name for them. */
export interface KeyUse {
  /** `alg` of a header, or `enc` where the agreed key encrypts the content itself. */
  readonly algorithm: string;
  readonly bits: 128 | 192 | 256;
  readonly partyU?: string;
  readonly partyV?: string;
}

/**
 * Concat KDF (NIST SP 800-56A §5.8.1) as RFC 7518 §4.6.2 uses it, with SHA-256: keys of up to 256 bits are made in one
 * round.
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
