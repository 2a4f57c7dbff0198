import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { disposeAfterAll } from '@rubrica/testkit';
import { createLocalJWKSet, decodeProtectedHeader, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { createFakeState, jwtOf, partner } from './support/fake-state.ts';
import { signAsIntake } from './support/fake-tokens.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const external = await generateKeyPair('ES256', { extractable: true });

const gateway = await disposeAfterAll(testGateway());

afterEach(() => {
  const { scopes, tokenRevoked } = createFakeState();
  Object.assign(gateway.state, { scopes, tokenRevoked });
});

function statusUrl() {
  return `${gateway.url}/middleware/signature-request/status?referenceTransaction=TX-1`;
}

function basic(id: string, secret: string) {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

function askToken(body: string | object, headers: Record<string, string> = {}) {
  return call(`${gateway.url}/oauth/token`, {
    body: typeof body === 'string' ? new URLSearchParams(body) : body,
    headers,
  });
}

const good = {
  client_id: partner.clientId,
  client_secret: partner.clientSecret,
  grant_type: 'client_credentials',
};

test('a client gets a token in the form body, and by HTTP Basic, not in JSON', async () => {
  const form = await askToken(new URLSearchParams(good).toString());
  expect(form.status).toBe(200);
  expect(form.json()).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 1800,
    scope: 'collector:write manager:write status:read',
  });
  expect(form.headers.get('cache-control')).toBe('no-store');
  const header = { authorization: basic(partner.clientId, partner.clientSecret) };
  expect((await askToken('grant_type=client_credentials', header)).status).toBe(200);
  expect((await askToken(good)).status).toBe(415);
});

const assertionForm = {
  grant_type: 'client_credentials',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: partner.assertion,
};

test('a client gets a token for an assertion, with its client id beside or without', async () => {
  for (const form of [assertionForm, { ...assertionForm, client_id: partner.clientId }]) {
    const answer = await askToken(new URLSearchParams(form).toString());
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 1800 });
  }
});

const wrong = jwtOf({ iss: 'sandbox-client', sub: 'sandbox-client', jti: 'another' });
test.each<[string, Record<string, string>, string | undefined, number, string]>([
  ['a secret in the body too', { client_secret: 'x' }, undefined, 400, 'invalid_request'],
  ['a secret in the header too', {}, basic(partner.clientId, 'x'), 400, 'invalid_request'],
  ['any other header', {}, 'Bearer abc', 400, 'invalid_request'],
  ['another type of assertion', { client_assertion_type: 'saml2-bearer' }, undefined, 400, 'invalid_request'],
  ['no type of assertion', { client_assertion_type: '' }, undefined, 400, 'invalid_request'],
  ['a type alone', { client_assertion: '' }, undefined, 400, 'invalid_request'],
  [
    'an assertion that is too long',
    { client_assertion: 'a'.repeat(4097) },
    undefined,
    400,
    'invalid_request',
  ],
  ['the id of another client', { client_id: 'other' }, undefined, 401, 'invalid_client'],
  ['no JWT', { client_assertion: 'a.b.c' }, undefined, 401, 'invalid_client'],
  ['no subject', { client_assertion: jwtOf({}) }, undefined, 401, 'invalid_client'],
  ['a subject that is no text', { client_assertion: jwtOf({ sub: [1] }) }, undefined, 401, 'invalid_client'],
  ['a subject with NUL', { client_assertion: jwtOf({ sub: 'a\0' }) }, undefined, 401, 'invalid_client'],
  ['an assertion that intake refuses', { client_assertion: wrong }, undefined, 401, 'invalid_client'],
])(
  'an assertion with %s is refused as RFC 6749 says',
  async (_what, fields, authorization, status, error) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await askToken(new URLSearchParams({ ...assertionForm, ...fields }).toString(), headers);
    expect(answer.status).toBe(status);
    expect(answer.error()).toMatchObject({ error, status, path: '/oauth/token' });
    expect(answer.json().error_description).toEqual(expect.any(String));
  },
);

test('a client is told why its assertion was refused', async () => {
  const form = new URLSearchParams({ ...assertionForm, client_assertion: wrong });
  expect((await askToken(form.toString())).json().error_description).toBe('The assertion has expired');
});

test('the metadata names what clients need (RFC 8414), and no address but our own', async () => {
  const answer = await call(`${gateway.url}/.well-known/oauth-authorization-server`);
  const other = await call(`${gateway.url}/.well-known/openid-configuration`);
  expect([answer.status, other.text]).toEqual([200, answer.text]);
  expect(answer.headers.get('cache-control')).toContain('max-age=300');
  expect(answer.json()).toEqual({
    issuer: 'http://gateway.localhost',
    token_endpoint: 'http://gateway.localhost/oauth/token',
    jwks_uri: 'http://gateway.localhost/.well-known/jwks.json',
    scopes_supported: ['collector:write', 'manager:write', 'status:read', 'certificates:revoke'],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['PS256', 'RS256', 'ES256', 'Ed25519', 'EdDSA'],
    access_token_signing_alg_values_supported: ['EdDSA'],
    service_documentation: 'http://gateway.localhost/docs',
  });
});

test('the token is an RFC 9068 access token that verifies with the published keys', async () => {
  const token = await gateway.token('status:read');
  const jwks = await call(`${gateway.url}/.well-known/jwks.json`);
  expect(jwks.text).not.toContain('"d"');
  const keys = createLocalJWKSet(jwks.json<Parameters<typeof createLocalJWKSet>[0]>());
  const { payload } = await jwtVerify(token, keys, {
    issuer: 'http://gateway.localhost',
    audience: 'http://gateway.localhost',
  });
  const kid = expect.stringMatching(/^intake-sig-/);
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid });
  const whose = { client_id: partner.clientId, sub: partner.clientId, kind: 'partner' };
  expect(payload).toMatchObject({ ...whose, scope: 'status:read', gen: 1, jti: expect.any(String) });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(1800);
});

test.each([
  ['a wrong secret', { ...good, client_secret: 'x' }, 401, 'invalid_client'],
  ['no credentials', { grant_type: 'client_credentials' }, 401, 'invalid_client'],
  ['no grant type', { ...good, grant_type: '' }, 400, 'invalid_request'],
  ['another grant type', { ...good, grant_type: 'password' }, 400, 'unsupported_grant_type'],
  [
    'a scope the client does not have',
    { ...good, scope: 'status:read certificates:revoke' },
    400,
    'invalid_scope',
  ],
  ['a scope that does not exist', { ...good, scope: 'all' }, 400, 'invalid_scope'],
])(
  'the token endpoint refuses %s as RFC 6749 says, in our error object',
  async (_what, body, status, error) => {
    const answer = await askToken(new URLSearchParams(body).toString());
    expect(answer.status).toBe(status);
    expect(answer.error()).toMatchObject({ error, status, path: '/oauth/token' });
    expect(answer.json().error_description).toEqual(expect.any(String));
    if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  },
);

test.each([
  ['NUL', 'a\u0000b'],
  ['half a surrogate pair, which UTF-8 has no bytes for', 'a\ud800b'],
  ['more than 200 characters', 'a'.repeat(201)],
])('a client id of %s is nobody’s', async (_what, id) => {
  const answer = await askToken('grant_type=client_credentials', { authorization: basic(id, 'c') });
  expect([answer.status, answer.error().error]).toEqual([401, 'invalid_client']);
});

test('a repeated parameter, both ways of authentication at once, and other media types are invalid requests', async () => {
  const twice = await askToken(`${new URLSearchParams(good)}&grant_type=client_credentials`);
  const both = await askToken(new URLSearchParams(good).toString(), {
    authorization: basic(partner.clientId, partner.clientSecret),
  });
  const xml = await call(`${gateway.url}/oauth/token`, {
    body: '<a/>',
    headers: { 'content-type': 'text/xml' },
  });
  expect([twice, both, xml].map((answer) => [answer.status, answer.error().error])).toEqual([
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [415, 'invalid_request'],
  ]);
});

test('a call without a token is challenged; with a bad one the challenge says so', async () => {
  const without = await call(statusUrl());
  expect(without.status).toBe(401);
  expect(without.error().code).toBe('UNAUTHENTICATED');
  expect(without.headers.get('www-authenticate')).toBe('Bearer realm="rubrica", scope="status:read"');
  const token = await gateway.token();
  for (const bad of ['x', `${token}x`, `${token.slice(0, -4)}AAAA`, 'a.b.c', 'rbk_unknown']) {
    const answer = await call(statusUrl(), { token: bad });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  }
  expect((await call(statusUrl(), { headers: { authorization: 'Basic abc' } })).status).toBe(401);
});

test('a token signed with another algorithm, or not signed, is refused', async () => {
  const claims = { sub: 'a', client_id: 'a', partner_id: partner.partnerId, scope: 'status:read' };
  const sign = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, typ: 'at+jwt', kid: 'current' })
      .setIssuer('http://gateway.localhost')
      .setAudience('http://gateway.localhost')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key);
  const [head = '', body = ''] = (await gateway.token()).split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  const forged = [
    await sign('HS256', Buffer.alloc(32)),
    await sign('ES256', external.privateKey),
    `${none}.${body}.`,
    `${head}.${body}.`,
  ];
  for (const token of forged) expect((await call(statusUrl(), { token })).status).toBe(401);
});

test('a token of intake’s key for another purpose, audience or time is refused', async () => {
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'http://gateway.localhost',
    aud: 'http://gateway.localhost',
    jti: 'one',
    gen: 1,
    iat,
    exp: iat + 300,
    kind: 'partner',
    sub: 'a',
    client_id: 'a',
    partner_id: partner.partnerId,
    scope: 'status:read',
  };
  const { intake } = gateway.keyrings;
  const statusOf = async (type: string, changes: object = {}) =>
    (await call(statusUrl(), { token: intake.signStatement(type, { ...claims, ...changes }) })).status;
  expect(await statusOf('at+jwt')).toBe(200);
  expect(await statusOf('JWT')).toBe(401);
  expect(await statusOf('at+jwt', { aud: 'http://gateway.localhost/trpc' })).toBe(401);
  expect(await statusOf('at+jwt', { iss: 'http://other.test' })).toBe(401);
  expect(await statusOf('at+jwt', { exp: iat - 1 })).toBe(401);
  expect(await statusOf('at+jwt', { iat: iat + 60 })).toBe(401);
  expect(await statusOf('at+jwt', { gen: undefined })).toBe(401);
});

test('no key of the gateway, or of any service but intake, makes a token', async () => {
  const caller = { kind: 'partner', partnerId: partner.partnerId, clientId: 'a', scopes: ['status:read'] };
  for (const keyring of [gateway.ownKeyring, gateway.keyrings.generation, gateway.keyrings.terms]) {
    const token = signAsIntake(keyring, caller as VouchedCaller);
    expect((await call(statusUrl(), { token })).status).toBe(401);
  }
});

test('a token without the scope is 403 and told which', async () => {
  const token = await gateway.token('collector:write');
  const answer = await call(statusUrl(), { token });
  expect(answer.status).toBe(403);
  expect(answer.error()).toMatchObject({
    code: 'FORBIDDEN',
    message: 'The token lacks the scope "status:read"',
  });
  expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
});

test('a static API token is resolved once and kept for a few seconds only', async () => {
  const asked = () => gateway.state.exchanged.length;
  const before = asked();
  for (const _ of [1, 2, 3]) expect((await call(statusUrl(), { token: partner.apiToken })).status).toBe(200);
  expect(asked()).toBe(before + 1);
  expect(JSON.stringify(gateway.state.exchanged)).not.toContain(partner.apiToken);
  gateway.state.tokenRevoked = true;
  await expect
    .poll(async () => (await call(statusUrl(), { token: partner.apiToken })).status, {
      timeout: 5_500,
      interval: 250,
    })
    .toBe(401);
});

test('a token of a partner’s own issuer is exchanged at intake, sealed, and its rights are what intake says', async () => {
  const { ownIssuerToken: token } = partner;
  const before = gateway.state.exchanged.length;
  for (const _ of [1, 2, 3]) expect((await call(statusUrl(), { token })).status).toBe(200);
  expect(gateway.state.exchanged.length).toBe(before + 1);
  expect(JSON.stringify(gateway.state.exchanged)).not.toContain(token);
});

test('a JWT that names another issuer is worth nothing by itself, whoever has signed it', async () => {
  const claims = { aud: 'http://gateway.localhost', partner_id: partner.partnerId, scope: 'status:read' };
  const forged = await new SignJWT({ ...claims, iss: 'https://id.thief.example' })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'x' })
    .setExpirationTime('5m')
    .sign(external.privateKey);
  expect((await call(statusUrl(), { token: forged })).status).toBe(401);
  const { intake } = gateway.keyrings;
  const renamed = intake.signStatement('at+jwt', { ...claims, iss: 'https://id.thief.example' });
  expect((await call(statusUrl(), { token: renamed })).status).toBe(401);
});

test('where intake cannot check a token now, the call is answered 503 and not 401', async () => {
  gateway.state.exchangeAway = true;
  const token = jwtOf({ iss: 'https://id.partner.example', jti: 'not seen before' });
  const answer = await call(statusUrl(), { token });
  gateway.state.exchangeAway = false;
  expect([answer.status, answer.error().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
});

test('a token of one key still verifies when another signs: every listed key is published', async () => {
  const { keys } = (await call(`${gateway.url}/.well-known/jwks.json`)).json<{
    keys: { kid: string; alg: string }[];
  }>();
  const kid = expect.stringMatching(/^intake-sig-/);
  expect(keys.map((key) => [key.kid, key.alg])).toEqual([
    [kid, 'EdDSA'],
    [kid, 'EdDSA'],
  ]);
});
