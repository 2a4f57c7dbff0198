import { createPublicKey, type KeyObject } from 'node:crypto';

/** Key with which a receiver verifies: a shared secret (`v1`, HMAC-SHA256) or a public key (`v1a`, ed25519). */
export type VerificationKey =
  | { readonly version: 'v1'; readonly secret: Buffer }
  | { readonly version: 'v1a'; readonly publicKey: KeyObject };

/** DER of an ed25519 public key (RFC 8410), up to its 32 bytes. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Parses a secret in the format of Standard Webhooks: `whsec_` or `whpk_`, and base64. Throws a RangeError in plain
 * words, which never quotes the secret.
 */
export function readVerificationKey(text: string): VerificationKey {
  const [, prefix, encoded = ''] = /^(wh[a-z]+_)(.*)$/.exec(text.trim()) ?? [];
  if (prefix === 'whsk_') {
    throw new RangeError('"whsk_…" is a private key: calls are verified with its public part, "whpk_…".');
  }
  if (prefix !== 'whsec_' && prefix !== 'whpk_') {
    throw new RangeError('A webhook secret begins with "whsec_", a public key with "whpk_".');
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (encoded === '' || bytes.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '')) {
    throw new RangeError(`After "${prefix}" comes base64; a part of it may be missing.`);
  }
  return prefix === 'whsec_' ? toSharedSecret(bytes) : toPublicKey(bytes);
}

/** The specification requires 24 to 64 bytes; fewer than 16 are not a secret. */
function toSharedSecret(secret: Buffer): VerificationKey {
  if (secret.length >= 16 && secret.length <= 64) return { version: 'v1', secret };
  throw new RangeError(
    `A webhook secret has 24 to 64 bytes, this one has ${secret.length}: a part is missing.`,
  );
}

function toPublicKey(bytes: Buffer): VerificationKey {
  if (bytes.length !== 32) {
    throw new RangeError(`A public key "whpk_…" has 32 bytes, this one has ${bytes.length}.`);
  }
  const key = Buffer.concat([ed25519Prefix, bytes]);
  return { version: 'v1a', publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) };
}
