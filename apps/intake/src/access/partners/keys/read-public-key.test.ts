import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import { readPublicKey } from './read-public-key.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');

describe.each([
  ['RSA', rsa],
  ['P-256', ec],
  ['Ed25519', ed],
])('a public key of %s', (algorithm, { publicKey, privateKey }) => {
  const jwk = publicKey.export({ format: 'jwk' });

  it('is the same key as a JWK and as PEM, under the thumbprint of RFC 7638', async () => {
    const expected = { algorithm, jwk: { ...jwk }, thumbprint: await calculateJwkThumbprint(jwk) };
    const extras = { kid: 'mine', use: 'sig', alg: 'PS256', x5c: ['MII'], '<script>': 'x' };
    expect(readPublicKey({ ...extras, ...jwk })).toEqual(expected);
    expect(readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString())).toEqual(expected);
  });

  it('is refused when its private half comes with it, without a word of it', () => {
    const whole = privateKey.export({ format: 'jwk' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const given of [whole, pem, `${pem}${publicKey.export({ type: 'spki', format: 'pem' })}`]) {
      const reading = readPublicKey(given as string);
      expect(reading).toEqual({ rejection: createText('field.privateKey') });
      expect(JSON.stringify(reading)).not.toContain(whole.d?.slice(0, 10));
    }
  });
});

it('reads the older form of PEM for RSA', () => {
  const pem = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  expect(readPublicKey(pem)).toMatchObject({ algorithm: 'RSA' });
});

const jwkOf = (key: typeof rsa.publicKey) => ({ ...key.export({ format: 'jwk' }) });
const pemOf = (key: typeof rsa.publicKey) => key.export({ type: 'spki', format: 'pem' }).toString();
const secp = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;

it.each<[string, string | Record<string, unknown>]>([
  ['an RSA key of 1024 bits', jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)],
  ['an RSA key of 2047 bits', jwkOf(generateKeyPairSync('rsa', { modulusLength: 2047 }).publicKey)],
  ['an RSA key whose exponent is 1, with which anybody signs', { ...jwkOf(rsa.publicKey), e: 'AQ' }],
  ['an RSA key whose exponent is 3', { ...jwkOf(rsa.publicKey), e: 'Aw' }],
  ['an RSA key of 8,192 bits', { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(1024, 0xab).toString('base64url') }],
  ['an RSA-PSS key', pemOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey)],
  ['another curve', jwkOf(secp)],
  ['P-384', jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)],
  ['Ed448', jwkOf(generateKeyPairSync('ed448').publicKey)],
  ['X25519', jwkOf(generateKeyPairSync('x25519').publicKey)],
  ['a point that is not on the curve', { ...jwkOf(ec.publicKey), y: jwkOf(ec.publicKey).x }],
  ['half a key', { kty: 'EC', crv: 'P-256', x: jwkOf(ec.publicKey).x }],
  ['a shared secret', { kty: 'oct', k: 'c2VjcmV0' }],
  ['a member of another form', { ...jwkOf(ec.publicKey), x: ['x'] }],
  ['nothing', {}],
  ['an empty text', ''],
  [
    'base64 alone',
    createPublicKey(pemOf(ed.publicKey)).export({ type: 'spki', format: 'der' }).toString('base64'),
  ],
])('%s is no key that may sign', (_what, given) => {
  expect(readPublicKey(given)).toEqual({ rejection: { id: expect.stringMatching(/^field\./) } });
});
