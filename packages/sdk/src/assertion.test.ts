import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type PrivateJwk, type PrivateKey, signAssertion } from './assertion.ts';

const now = Date.parse('2026-11-23T12:00:00.500Z');
const told = { clientId: 'partner', audience: 'https://rubrica.test/oauth/token', now };
const sign = (privateKey: PrivateKey, more: { keyId?: string } = {}) =>
  signAssertion({ ...told, privateKey, ...more });

const parsed = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
function isSignedBy(key: KeyObject, assertion: string, options: object = {}): boolean {
  const [header, fields, signature = ''] = assertion.split('.');
  const bytes = Buffer.from(`${header}.${fields}`);
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(hash, bytes, { key, ...options }, Buffer.from(signature, 'base64url'));
}

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const checking = {
  ES256: { dsaEncoding: 'ieee-p1363' },
  EdDSA: {},
  PS256: { padding: 6, saltLength: 32 },
};

describe('an assertion', () => {
  it.each(['ES256', 'EdDSA', 'PS256'] as const)('is signed by a key given as JWK: %s', async (alg) => {
    const { privateKey, publicKey } = pairs[alg];
    const assertion = await sign(privateKey.export({ format: 'jwk' }) as PrivateJwk, { keyId: 'k1' });
    const [header, fields] = assertion.split('.');
    expect(parsed(header)).toEqual({ alg, typ: 'JWT', kid: 'k1' });
    const iat = Math.floor(now / 1_000);
    const jti = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const who = { iss: 'partner', sub: 'partner', aud: told.audience };
    expect(parsed(fields)).toEqual({ ...who, jti, iat, exp: iat + 120 });
    expect(isSignedBy(publicKey, assertion, checking[alg])).toBe(true);
  });

  it('is RS256 where the JWK says so', async () => {
    const { privateKey, publicKey } = pairs.PS256;
    const jwk = { ...(privateKey.export({ format: 'jwk' }) as PrivateJwk), alg: 'RS256', use: 'sig' };
    const assertion = await sign(jwk);
    expect(parsed(assertion.split('.')[0])).toEqual({ alg: 'RS256', typ: 'JWT' });
    expect(isSignedBy(publicKey, assertion)).toBe(true);
  });

  it('is signed by a CryptoKey that nobody can read out', async () => {
    const { privateKey, publicKey } = pairs.ES256;
    const jwk = privateKey.export({ format: 'jwk' });
    const curve = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['sign']);
    expect(isSignedBy(publicKey, await sign(key), checking.ES256)).toBe(true);
  });

  it('is never the same twice', async () => {
    const jwk = pairs.EdDSA.privateKey.export({ format: 'jwk' }) as PrivateJwk;
    const [one, other] = [await sign(jwk), await sign(jwk)].map((text) => parsed(text.split('.')[1]).jti);
    expect(one).not.toBe(other);
  });

  it.each([
    ['a public key', pairs.ES256.publicKey.export({ format: 'jwk' }), 'no private key'],
    [
      'another curve',
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ format: 'jwk' }),
      'RSA, P-256',
    ],
    ['a shared secret', { kty: 'oct', d: 'c2VjcmV0' }, 'RSA, P-256'],
  ])('is not made with %s', async (_, jwk, words) => {
    await expect(sign(jwk as PrivateJwk)).rejects.toThrow(words);
  });

  it('is not made with a CryptoKey for another hash, or that may not sign', async () => {
    const rsa = { name: 'RSA-PSS', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
    const pair = await crypto.subtle.generateKey({ ...rsa, hash: 'SHA-512' }, true, ['sign', 'verify']);
    await expect(sign(pair.privateKey)).rejects.toThrow('SHA-256');
    await expect(sign(pair.publicKey)).rejects.toThrow('may not sign');
  });
});
