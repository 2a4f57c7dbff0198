import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';

/** Signed part of one attempt: id and body never change, the time is the attempt's own. */
export interface SignatureInput {
  readonly id: string;
  readonly at: Date;
  readonly body: Buffer;
}

/**
 * Builds the headers of the Standard Webhooks specification over `id.timestamp.body`: `v1`, HMAC-SHA256 with a shared
 * secret, and `v1a`, Ed25519 (RFC 8032) with a key pair. There is one signature per secret or key, so that a receiver
 * can verify with either during a rotation.
 * @param secrets `whsec_…` or `whsk_…` with base64, at least one
 */
export function buildSignatureHeaders(
  signable: SignatureInput,
  secrets: readonly string[],
): Record<string, string> {
  const { id, at, body } = signable;
  const timestamp = Math.floor(at.getTime() / 1_000).toString();
  if (secrets.length === 0) throw new Error('a webhook needs at least one secret to be signed with');
  const head = `${id}.${timestamp}.`;
  const signatures = secrets.map((secret) =>
    secret.startsWith(privateKeyPrefix)
      ? signWithKey(head, body, secret)
      : signWithSecret(head, body, secret),
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const privateKeyPrefix = 'whsk_';

function signWithSecret(head: string, body: Buffer, secret: string): string {
  return `v1,${createHmac('sha256', readSecret(secret)).update(head).update(body).digest('base64')}`;
}

/** Reads a secret as a key object; raw bytes take Node seven times as long. */
function readSecret(secret: string): KeyObject {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // The specification requires 24 to 64 bytes; anyone could forge the signature of an empty key.
  if (key.length < 16) throw new Error('a webhook secret is shorter than 16 bytes');
  return createSecretKey(key);
}

function signWithKey(head: string, body: Buffer, text: string): string {
  const message = Buffer.concat([Buffer.from(head), body]);
  return `v1a,${sign(null, message, readPrivateKey(text)).toString('base64')}`;
}

/** Reads a private key: seed and public key, 32 bytes each. */
function readPrivateKey(text: string) {
  const bytes = Buffer.from(text.slice(privateKeyPrefix.length), 'base64');
  if (bytes.length !== 64) throw new Error('a webhook key is not of 64 bytes');
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) => part.toString('base64url'));
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}
