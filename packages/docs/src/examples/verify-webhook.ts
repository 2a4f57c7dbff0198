import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

/** Maximum age of a call, and maximum difference of two clocks, in seconds. */
const toleranceSeconds = 300;

export interface SignedCall {
  /** Headers from Node.js, with names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The received bytes: a body that was parsed and serialized again differs. */
  readonly body: Uint8Array;
  /** "whsec_…" or "whpk_…"; the old and the new one while a secret is being replaced. */
  readonly secrets: readonly string[];
}

/**
 * Checks that the call is from Rubrica, unchanged and recent. Throws if it is not; answer 401 then. Returns the event
 * and its id. Handle each id once: a call is repeated if its answer was lost.
 */
export function verifyWebhook({ headers, body, secrets }: SignedCall, now = Date.now()) {
  const header = (name: string) => {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`the header ${name} is missing`);
  };
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ');
  // A timestamp that is not a number is not fresh either.
  const isFresh = Math.abs(Math.floor(now / 1000) - Number(timestamp)) <= toleranceSeconds;
  if (!isFresh) throw new Error('the call is too old, or from the future');

  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const isRight = (one: string) => secrets.some((secret) => fits(one, signed, secret));
  if (!signatures.some(isRight)) throw new Error('none of the signatures is right');
  const event: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  return { id, event };
}

/** Checks one signature. "v1" is for shared secrets and "v1a" for public keys: neither may replace the other. */
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
