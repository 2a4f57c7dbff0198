import { generateKeyPairSync, randomBytes } from 'node:crypto';

function random(bytes: number): Buffer {
  return randomBytes(bytes);
}

/** Creates a secret of 256 random bits; its stored SHA-256 reveals nothing of it. */
export function makeClientSecret(): string {
  return random(32).toString('base64url');
}

/** Creates a secret by Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
export function makeWebhookSecret(): string {
  return `whsec_${random(32).toString('base64')}`;
}

/** Prefix that distinguishes an API token from a JWT. */
export const apiTokenPrefix = 'rbk_';

export function makeApiToken(): string {
  return `${apiTokenPrefix}${random(32).toString('base64url')}`;
}

export function makeClientId(): string {
  return `rb-${random(9).toString('base64url')}`;
}

/**
 * Creates a key pair by Standard Webhooks, asymmetric (Ed25519, RFC 8032). The private key is `whsk_` and
 * base64 of the 32-byte seed followed by the 32-byte public key; the public key is `whpk_` and its base64.
 */
export function makeWebhookKeyPair(): { privateKey: string; publicKey: string } {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, publicPart] = [d, x].map((part) => Buffer.from(part ?? '', 'base64url'));
  if (seed?.length !== 32 || publicPart?.length !== 32) throw new Error('an Ed25519 key has 32 bytes');
  const privateKey = `whsk_${Buffer.concat([seed, publicPart]).toString('base64')}`;
  return { privateKey, publicKey: `whpk_${publicPart.toString('base64')}` };
}
