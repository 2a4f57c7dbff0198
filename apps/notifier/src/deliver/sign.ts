import { createHmac } from 'node:crypto';

/** The signed part of one attempt: id and body never change, the time is the attempt's own. */
export type Signable = { id: string; at: Date; body: Buffer };

/**
 * Headers of the Standard Webhooks specification, version `v1`: HMAC-SHA256 over `id.timestamp.body`,
 * one signature per secret, so that a receiver verifies with either while a secret is being replaced.
 * @param secrets `whsec_` and base64, newest first, at least one
 */
export function signatureHeaders(signable: Signable, secrets: readonly string[]): Record<string, string> {
  const { id, at, body } = signable;
  const timestamp = Math.floor(at.getTime() / 1_000).toString();
  if (secrets.length === 0) throw new Error('a webhook needs at least one secret to be signed with');
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', readSecret(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function readSecret(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // The specification asks for 24 to 64 bytes; an empty key would sign what anybody can forge.
  if (key.length < 16) throw new Error('a webhook secret is shorter than 16 bytes');
  return key;
}
