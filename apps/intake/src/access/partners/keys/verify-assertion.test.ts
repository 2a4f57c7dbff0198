import { describe, expect, it } from 'vitest';
import { issuer, jwkOf, makeAssertion, makeKey } from '../../../../test/support/assertions.ts';
import { isSignedBy, readAssertion } from './verify-assertion.ts';

const clientId = 'client-sandbox';
const now = new Date('2026-03-01T12:00:00.500Z');
const seconds = Math.floor(now.getTime() / 1000);
const audiences = [issuer, `${issuer}/oauth/token`];
const [ec, ed, rsa] = [makeKey['P-256'](), makeKey.Ed25519(), makeKey.RSA()];
const keyRow = {
  'P-256': { algorithm: 'P-256', jwk: jwkOf(ec) },
  Ed25519: { algorithm: 'Ed25519', jwk: jwkOf(ed) },
  RSA: { algorithm: 'RSA', jwk: jwkOf(rsa) },
} as const;

const read = (assertion: string) => readAssertion(assertion, { audiences, now });
const make = (claims: Record<string, unknown> = {}, header = {}) =>
  makeAssertion(ec.privateKey, { clientId, claims, header, now });

const refused = { rejection: { id: expect.stringMatching(/^access\./) } };

describe('the form of an assertion', () => {
  it.each(audiences)(
    'is good for the audience %s, until its end, at most five minutes ahead',
    async (aud) => {
      const assertion = await make({ aud, exp: seconds + 300, jti: 'one' }, { typ: 'JWT', kid: 'whatever' });
      expect(read(assertion)).toEqual({
        clientId,
        algorithm: 'ES256',
        jti: 'one',
        expiresAt: new Date((seconds + 300) * 1000),
      });
    },
  );

  it.each<[string, Record<string, unknown>, object?]>([
    ['two audiences, ours among them', { aud: audiences }],
    ['one audience in a list', { aud: [issuer] }],
    ['the audience of another service', { aud: 'https://other.example/oauth/token' }],
    ['an audience that begins as ours', { aud: `${issuer}.evil.example` }],
    ['no audience', { aud: undefined }],
    ['an end that is over', { exp: seconds }],
    ['an end one second too far', { exp: seconds + 301 }],
    ['an end without end', { exp: Number.MAX_SAFE_INTEGER }],
    ['an end as a text', { exp: String(seconds + 60) }],
    ['no end', { exp: undefined }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
    ['an id that is too long', { jti: 'x'.repeat(256) }],
    ['an id that no database holds', { jti: 'a\0b' }],
    ['an id that is a list', { jti: ['one'] }],
    ['another issuer', { iss: 'client-other' }],
    ['no issuer', { iss: undefined }],
    ['a time to come', { iat: seconds + 60 }],
    ['the type of an access token', {}, { typ: 'at+jwt' }],
    ['the type of a security event', {}, { typ: 'secevent+jwt' }],
  ])('is refused with %s', async (_what, claims, header) => {
    expect(read(await make(claims, header))).toMatchObject(refused);
  });

  it.each(['', 'x', 'a.b.c', '..', `${'a'.repeat(4096)}`])('is refused when it is no JWT: %s', (text) => {
    expect(read(text)).toMatchObject(refused);
  });
});

describe('the signature of an assertion', () => {
  it.each([
    ['RS256', rsa, 'RSA'],
    ['PS256', rsa, 'RSA'],
    ['ES256', ec, 'P-256'],
    ['EdDSA', ed, 'Ed25519'],
    ['Ed25519', ed, 'Ed25519'],
  ] as const)('by %s holds with the key of its kind and with no other', async (alg, { privateKey }, kind) => {
    const assertion = await makeAssertion(privateKey, { clientId, header: { alg }, now });
    const signedBy = (keys: Parameters<typeof isSignedBy>[1]) =>
      isSignedBy(assertion, keys, { algorithm: alg, now });
    expect(await signedBy([keyRow.RSA, keyRow['P-256'], keyRow.Ed25519])).toBe(true);
    expect(await signedBy(Object.values(keyRow).filter((key) => key.algorithm !== kind))).toBe(false);
    expect(await signedBy([])).toBe(false);
  });

  it('of none is never good', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, payload = ''] = (await make()).split('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      const assertion = `${part({ alg })}.${payload}.`;
      const claimed = read(assertion);
      if ('rejection' in claimed) continue;
      expect(await isSignedBy(assertion, Object.values(keyRow), { ...claimed, now })).toBe(false);
    }
  });

  it.each(['HS256', 'HS384', 'HS512'])('by %s with a public key as the secret is never good', async (alg) => {
    for (const { publicKey } of [ec, ed, rsa])
      for (const secret of [
        publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'),
        JSON.stringify(publicKey.export({ format: 'jwk' })),
      ]) {
        const bytes = Buffer.from(secret.padEnd(64, '\0'), 'latin1');
        const assertion = await makeAssertion(new Uint8Array(bytes), { clientId, header: { alg }, now });
        expect(await isSignedBy(assertion, Object.values(keyRow), { algorithm: alg, now })).toBe(false);
      }
  });

  it('of a changed assertion is not good', async () => {
    const [header = '', , signature = ''] = (await make()).split('.');
    const [, payload = ''] = (await make({ jti: 'another' })).split('.');
    const changed = `${header}.${payload}.${signature}`;
    expect(await isSignedBy(changed, [keyRow['P-256']], { algorithm: 'ES256', now })).toBe(false);
  });

  it('is not good before its time', async () => {
    const later = await make({ nbf: seconds + 60 });
    expect(await isSignedBy(later, [keyRow['P-256']], { algorithm: 'ES256', now })).toBe(false);
    const soon = await make({ nbf: seconds + 5 });
    expect(await isSignedBy(soon, [keyRow['P-256']], { algorithm: 'ES256', now })).toBe(true);
  });

  it('does not hold where the header brings a key of its own', async () => {
    const thief = makeKey['P-256']();
    const header = { jwk: jwkOf(thief), jku: 'http://127.0.0.1:9/keys' };
    const assertion = await makeAssertion(thief.privateKey, { clientId, header, now });
    expect(await isSignedBy(assertion, [keyRow['P-256']], { algorithm: 'ES256', now })).toBe(false);
  });
});
