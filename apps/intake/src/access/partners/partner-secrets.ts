import { generateKeyPairSync, randomBytes } from 'node:crypto';

function random(bytes: number): Buffer {
  return randomBytes(bytes);
}

/** 256 random bits: what is stored of it, its SHA-256, tells nothing. */
export function makeClientSecret(): string {
  return random(32).toString('base64url');
}

/** Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
export function makeWebhookSecret(): string {
  return `whsec_${random(32).toString('base64')}`;
}

/** Tells an API token from a JWT. */
export const apiTokenPrefix = 'rbk_';

export function makeApiToken(): string {
  return `${apiTokenPrefix}${random(32).toString('base64url')}`;
}

export function makeClientId(): string {
  return `rb-${random(9).toString('base64url')}`;
}

/**
 * Standard Webhooks, asymmetric: `whsk_` and base64 of the 32-byte seed followed by the 32-byte public key,
 * `whpk_` and base64 of the public key (Ed25519, RFC 8032).
 */
export function makeWebhookKeyPair(): { privateKey: string; publicKey: string } {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, open] = [d, x].map((part) => Buffer.from(part ?? '', 'base64url'));
  if (seed?.length !== 32 || open?.length !== 32) throw new Error('an Ed25519 key has 32 bytes');
  const privateKey = `whsk_${Buffer.concat([seed, open]).toString('base64')}`;
  return { privateKey, publicKey: `whpk_${open.toString('base64')}` };
}
