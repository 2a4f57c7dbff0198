import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

/** Seconds that a call may be old, and that two clocks may differ. */
const toleranceSeconds = 300;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Is this call from Rubrica, unaltered and fresh? Throws when it is not; answer 401 then.
 * @param headers as Node.js gives them, with names in lower case
 * @param body the bytes as they came: a body that was parsed and written again is another one
 * @param secrets "whsec_…" or "whpk_…"; the old and the new one while a secret is being replaced
 * @returns handle each `id` once: a call whose answer got lost comes again
 */
export function verifyWebhook(
  { headers, body, secrets }: { headers: Headers; body: Uint8Array; secrets: readonly string[] },
  now: number = Date.now(),
): { id: string; event: unknown } {
  const header = (name: string) => {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`the header ${name} is missing`);
  };
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ');
  const age = Math.floor(now / 1000) - Number(timestamp);
  // Not `age > …`: a timestamp that is no number has an age that is none either.
  if (!(Math.abs(age) <= toleranceSeconds)) throw new Error('the call is too old, or from the future');

  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const right = secrets.some((secret) => signatures.some((signature) => fits(signature, signed, secret)));
  if (!right) throw new Error('none of the signatures is right');
  return { id, event: JSON.parse(Buffer.from(body).toString('utf8')) };
}

/** A signature counts for its own kind of secret alone: "v1" for shared ones, "v1a" for public keys. */
function fits(signature: string, signed: Uint8Array, secret: string): boolean {
  const [version, encoded = ''] = signature.split(',');
  const given = Buffer.from(encoded, 'base64');
  if (version === 'v1' && secret.startsWith('whsec_')) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(signed).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
  if (version === 'v1a' && secret.startsWith('whpk_')) {
    const x = Buffer.from(secret.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, signed, key, given);
  }
  return false;
}
