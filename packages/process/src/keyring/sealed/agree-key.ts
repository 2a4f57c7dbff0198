import { diffieHellman, type KeyObject } from 'node:crypto';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { concatKdf } from './concat-kdf.ts';

/** Key agreement on X25519 (RFC 8037), then key wrapping (RFC 7518 §4.6). */
export const keyAlgorithm = 'ECDH-ES+A256KW';

/**
 * Lifetime of an agreed key on both sides: an attacker who reads a sender's memory learns no more than what was sealed
 * in these minutes.
 */
export const agreedForMs = 5 * MINUTE_MS;

/**
 * Derives the key that wraps content keys between an ephemeral key and a recipient's.
 * @throws Error for a public key of low order: OpenSSL refuses a shared secret of zeros (RFC 7748 §6.1)
 */
export function agreeKey(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  const sharedSecret = diffieHellman({ privateKey, publicKey });
  try {
    return concatKdf(sharedSecret, { algorithm: keyAlgorithm, bits: 256 });
  } finally {
    sharedSecret.fill(0);
  }
}
