import { createSecretKey } from 'node:crypto';
import { createAccessTokenVerifier } from '@rubrica/process/tokens';
import { disposeAfterAll } from '@rubrica/testkit';
import { exportSPKI, generateKeyPair, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { openToken } from './support/open-token.ts';
import { changePartner } from './support/own-database.ts';
import { audience, issuerUrl, ownIssuer, ownToken } from './support/own-issuer.ts';
import { playService } from './support/play-service.ts';
import { partnerIds, runningIntake } from './support/running-intake.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);

const es256 = () => generateKeyPair('ES256', { extractable: true });
const [first, second, stolen] = await Promise.all([es256(), es256(), es256()]);
const other = 'https://login.other.example';

const further = [
  { issuer: other, audience, partnerIds: [partnerIds.other], tokenType: 'JWT', partnerClaim: 'company' },
];
const intake = await disposeAfterAll(
  runningIntake(
    {
      OIDC_ISSUER: issuerUrl,
      OIDC_AUDIENCE: audience,
      OIDC_PARTNER_IDS: partnerIds.otp,
      OIDC_MORE_ISSUERS: JSON.stringify(further),
    },
    { clock },
  ),
);
const issuer = await ownIssuer();
await issuer.publish({ first });
const jwksUri = 'https://keys.other.example/jwks';
issuer.documents.set(`${other}/.well-known/openid-configuration`, () => ({
  kind: 'read',
  text: JSON.stringify({ issuer: other, jwks_uri: jwksUri }),
}));
const notifier = await disposeAfterAll(
  playService(intake.ground, 'notifier', {
    'documents.read': ({ url }) => issuer.read(url),
  }),
);
const { keyring } = await intake.ground.peer('gateway');
/** As the gateway verifies: by public keys alone. */
const verify = createAccessTokenVerifier({ keyring, baseUrl: 'http://127.0.0.1:3000', nowMs: Date.now });

/** As the gateway asks for a token that it was shown. */
async function exchange(token: string, owner = 'gateway') {
  const { keyring } = await intake.ground.peer('gateway');
  const sealedToken = await keyring.sealTo('intake', token, { purpose: 'entered-token', owner });
  const gateway = intake.client({ kind: 'service', name: 'gateway' });
  return openToken(intake.ground, sealedToken, await gateway.tokens.exchange.query({ sealedToken }));
}

type Parts = Partial<Parameters<typeof ownToken>[0]>;

function make(claims: JWTPayload = {}, parts: Parts = {}) {
  const whose = { partner_id: partnerIds.otp, ...claims };
  return ownToken({ key: first.privateKey, nowMs: Date.now(), ...parts, claims: whose });
}

const refusal = { data: { appCode: 'UNAUTHENTICATED' } };
const unavailable = { data: { appCode: 'SERVICE_UNAVAILABLE' } };
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Later than any rest between two questions to the issuer. */
const later = () => {
  aheadMs += 31_000;
};

describe('a token of a partner’s own issuer', () => {
  it('is exchanged for one of ours: of the partner, with the scopes that both have, for a minute at most', async () => {
    const { accessToken, expiresInSeconds } = await exchange(
      await make({ scope: 'status:read certificates:revoke made-up' }),
    );
    expect(expiresInSeconds).toBe(60);
    const { caller } = verify(accessToken);
    expect(caller).toMatchObject({ kind: 'partner', partnerId: partnerIds.otp, clientId: 'client-otp' });
    expect(caller).toMatchObject({ scopes: ['status:read', 'certificates:revoke'] });
  });

  it('gives no scope that the partner does not have', async () => {
    await changePartner(intake.ground, partnerIds.otp, { scopes: ['status:read'] });
    const { accessToken } = await exchange(await make({ scope: 'status:read certificates:revoke' }));
    expect(verify(accessToken).caller).toMatchObject({ scopes: ['status:read'] });
    const none = await exchange(await make({ scope: undefined }));
    expect(verify(none.accessToken).caller).toMatchObject({ scopes: [] });
  });

  it('makes none that outlives it', async () => {
    const token = await make({}, { lifeSeconds: 20 });
    const { accessToken } = await exchange(token);
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(verify(accessToken).expiresAtMs).toBeLessThanOrEqual(exp * 1000);
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => Promise<string>]>([
    ['a partner that the issuer does not speak for', () => make({ partner_id: partnerIds.sandbox })],
    ['a partner of another issuer', () => make({ partner_id: partnerIds.other })],
    ['no partner', () => make({ partner_id: undefined })],
    ['a list of partners', () => make({ partner_id: [partnerIds.otp] })],
    ['a partner that does not exist', () => make({ partner_id: crypto.randomUUID() })],
    ['another audience', () => make({ aud: 'another-service' })],
    ['no audience', () => make({ aud: undefined })],
    ['another issuer', () => make({ iss: 'https://id.thief.example' })],
    ['an issuer that only begins like it', () => make({ iss: `${issuerUrl}/` })],
    ['no issuer', () => make({ iss: undefined })],
    ['no end', () => make({ exp: undefined })],
    ['an end that is over', () => make({ exp: seconds() - 1 })],
    ['an end within this second', () => make({ exp: seconds() })],
    ['a beginning to come', () => make({ nbf: seconds() + 60 })],
    ['a nonce, as an id token has it', () => make({ nonce: 'x' })],
    ['the type JWT, as an id token has it', () => make({}, { header: { typ: 'JWT' } })],
    ['no type', () => make({}, { header: { typ: undefined } })],
    ['the type of a log-out', () => make({}, { header: { typ: 'logout+jwt' } })],
    ['a key of nobody', () => make({}, { key: stolen.privateKey })],
    ['a key that is not published', () => make({}, { key: second.privateKey, header: { kid: 'second' } })],
    [
      'a key that it brings itself',
      async () => {
        const { publicKey, privateKey } = await es256();
        const jwk = await crypto.subtle.exportKey('jwk', publicKey);
        return make({}, { key: privateKey, header: { kid: undefined, jwk, jku: 'https://127.0.0.1/keys' } });
      },
    ],
    [
      'a field that must be understood and is not',
      () => make({}, { header: { crit: ['exp'], exp: 1 } }).catch(() => 'x'),
    ],
    [
      'no signature',
      async () => {
        const [, payload = ''] = (await make()).split('.');
        return `${part({ alg: 'none', typ: 'at+jwt', kid: 'first' })}.${payload}.`;
      },
    ],
    [
      'the signature of another',
      async () => {
        const [header = '', , signature = ''] = (await make()).split('.');
        const [, payload = ''] = (await make({ jti: 'two' })).split('.');
        return `${header}.${payload}.${signature}`;
      },
    ],
    [
      'a shared secret, which is the public key',
      async () => {
        const secret = createSecretKey(Buffer.from(await exportSPKI(first.publicKey)));
        return make({}, { key: secret, header: { alg: 'HS256' } });
      },
    ],
  ])('is refused with %s', async (_what, token) => {
    await exchange(await make());
    await expect(exchange(await token())).rejects.toMatchObject(refusal);
  });

  it.each(['', 'x', 'a.b.c', '..', 'a'.repeat(20_000)])('is refused when it is none', async (text) => {
    await expect(exchange(text)).rejects.toMatchObject(refusal);
  });

  it('is refused unsealed, or sealed for another door', async () => {
    const sealedToken = await make();
    const gateway = intake.client({ kind: 'service', name: 'gateway' });
    await expect(gateway.tokens.exchange.query({ sealedToken })).rejects.toMatchObject(refusal);
    await expect(exchange(sealedToken, 'notifier')).rejects.toMatchObject(refusal);
  });

  it('is refused while the partner is switched off', async () => {
    const token = await make();
    await exchange(token);
    await changePartner(intake.ground, partnerIds.otp, { enabled: false });
    await expect(exchange(token)).rejects.toMatchObject(refusal);
    await changePartner(intake.ground, partnerIds.otp, { enabled: true });
    await exchange(token);
  });
});

describe('an issuer that makes no other tokens than JWT', () => {
  const claims = (more: JWTPayload = {}) =>
    ({ iss: other, partner_id: undefined, company: partnerIds.other, ...more }) as JWTPayload;
  const header = { typ: 'JWT' };

  it('has its keys nowhere but at its own host: another that its document names is not asked', async () => {
    issuer.asked.length = 0;
    await expect(exchange(await make(claims(), { header }))).rejects.toMatchObject(unavailable);
    expect(issuer.asked).toEqual([`${other}/.well-known/openid-configuration`]);
  });

  it('is taken by its binding, with its own field for the partner, and without a nonce', async () => {
    later();
    const { text } = (await issuer.read(`${issuerUrl}/keys`)) as { text: string };
    issuer.documents.set(`${other}/keys`, () => ({ kind: 'read', text }));
    issuer.documents.set(`${other}/.well-known/openid-configuration`, () => ({
      kind: 'read',
      text: JSON.stringify({ issuer: other, jwks_uri: `${other}/keys` }),
    }));
    const { accessToken } = await exchange(await make(claims(), { header }));
    expect(verify(accessToken).caller).toMatchObject({ partnerId: partnerIds.other });
    for (const field of ['nonce', 'at_hash', 'c_hash'])
      await expect(exchange(await make(claims({ [field]: 'x' }), { header }))).rejects.toMatchObject(refusal);
    const crossed = claims({ company: partnerIds.otp });
    await expect(exchange(await make(crossed, { header }))).rejects.toMatchObject(refusal);
  });
});

describe('the keys of an issuer', () => {
  const fetches = () => issuer.asked.filter((url) => url === `${issuerUrl}/keys`).length;

  it('are kept, and fetched anew for a key that is not known, once in 30 s whoever asks', async () => {
    await exchange(await make());
    await issuer.publish({ first, second });
    later();
    const before = fetches();
    await exchange(await make());
    expect(fetches()).toBe(before);
    const bySecond = { key: second.privateKey, header: { kid: 'second' } };
    await Promise.all(Array.from({ length: 5 }, async () => exchange(await make({}, bySecond))));
    expect(fetches()).toBe(before + 1);
    const invented = Array.from({ length: 20 }, (_, n) => make({}, { header: { kid: `invented-${n}` } }));
    for (const token of await Promise.all(invented))
      await expect(exchange(token)).rejects.toMatchObject(refusal);
    expect(fetches()).toBe(before + 1);
  });

  it('end when the issuer takes them back', async () => {
    await issuer.publish({ second });
    await exchange(await make());
    aheadMs += 5 * 60_000;
    await expect(exchange(await make())).rejects.toMatchObject(refusal);
    await issuer.publish({ first, second });
    later();
    await exchange(await make());
  });

  it('serve on while the issuer does not answer, for an hour, and then its tokens wait', async () => {
    await exchange(await make());
    const keys = issuer.documents.get(`${issuerUrl}/keys`);
    issuer.documents.delete(`${issuerUrl}/keys`);
    aheadMs += 59 * 60_000;
    await exchange(await make());
    aheadMs += 60_000 + 31_000;
    await expect(exchange(await make())).rejects.toMatchObject(unavailable);
    if (keys) issuer.documents.set(`${issuerUrl}/keys`, keys);
    later();
    await exchange(await make());
  });

  it('that come with another issuer’s name, too many, or as no JSON are not taken', async () => {
    const configuration = `${issuerUrl}/.well-known/openid-configuration`;
    const [good, keys] = [issuer.documents.get(configuration), issuer.documents.get(`${issuerUrl}/keys`)];
    const many = { keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) };
    const wrong: [string, unknown][] = [
      [configuration, { issuer: 'https://id.thief.example', jwks_uri: `${issuerUrl}/keys` }],
      [configuration, { issuer: issuerUrl, jwks_uri: 'http://id.partner.example/keys' }],
      [configuration, { issuer: issuerUrl, jwks_uri: 'https://id.partner.example:8443/keys' }],
      [configuration, { issuer: issuerUrl, jwks_uri: 'https://169.254.169.254/keys' }],
      [`${issuerUrl}/keys`, many],
      [`${issuerUrl}/keys`, 'nothing'],
    ];
    for (const [url, document] of wrong) {
      issuer.documents.set(url, () => ({ kind: 'read', text: JSON.stringify(document) }));
      aheadMs += 61 * 60_000;
      await expect(exchange(await make())).rejects.toMatchObject(unavailable);
      if (good) issuer.documents.set(configuration, good);
      if (keys) issuer.documents.set(`${issuerUrl}/keys`, keys);
    }
    later();
    await exchange(await make());
  });

  it('of one issuer that is slow keep no other issuer’s tokens waiting', async () => {
    const keys = issuer.documents.get(`${issuerUrl}/keys`);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    issuer.documents.set(`${issuerUrl}/keys`, async () => {
      await answered;
      return (await keys?.()) ?? { kind: 'failed', message: 'gone' };
    });
    aheadMs += 61 * 60_000;
    const waiting = exchange(await make());
    const company = { iss: other, partner_id: undefined, company: partnerIds.other } as JWTPayload;
    await exchange(await make(company, { header: { typ: 'JWT' } }));
    answer();
    await waiting;
    if (keys) issuer.documents.set(`${issuerUrl}/keys`, keys);
  });

  it('cannot be had while the notifier is away, and then a token is not called wrong', async () => {
    aheadMs += 61 * 60_000;
    const token = await make();
    await notifier.away(() => expect(exchange(token)).rejects.toMatchObject(unavailable));
    later();
    await exchange(token);
  });
});
