import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, SignJWT } from 'jose';

/** As `testGround` gives it. */
export const issuer = 'http://127.0.0.1:3000';

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const makeKey = {
  'P-256': (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  Ed25519: (): KeyPair => generateKeyPairSync('ed25519'),
  RSA: (modulusLength = 2048): KeyPair => generateKeyPairSync('rsa', { modulusLength }),
} as const;

export function jwkOf({ publicKey }: KeyPair): Record<string, string> {
  return publicKey.export({ format: 'jwk' }) as Record<string, string> & JsonWebKey;
}

export interface AssertionParts {
  readonly clientId: string;
  readonly header?: Partial<JWTHeaderParameters>;
  /** Over the claims of a good one; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly now?: Date;
}

/** What a partner signs: good unless a test says otherwise. */
export async function makeAssertion(key: KeyObject | Uint8Array, parts: AssertionParts): Promise<string> {
  const { clientId, header, claims, now = new Date() } = parts;
  const iat = Math.floor(now.getTime() / 1000);
  const good = { iss: clientId, sub: clientId, aud: `${issuer}/oauth/token`, jti: randomUUID(), iat };
  const payload = Object.entries({ ...good, exp: iat + 60, ...claims });
  return new SignJWT(Object.fromEntries(payload.filter(([, value]) => value !== undefined)))
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(key);
}
