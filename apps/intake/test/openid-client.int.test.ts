import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@rubrica/process/log';
import { systemClock } from '@rubrica/process/time';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFlow } from '../src/access/openid/flow.ts';
import { connectOpenId, type OpenIdClient } from '../src/access/openid/openid-client.ts';

/** A provider that answers whatever the test wants. */
const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  asked.push(path);
  answers.get(path)?.(response);
  if (!answers.has(path)) response.writeHead(404).end();
});
const asked: string[] = [];
const answers = new Map<string, (response: ServerResponse) => void>();
const json = (value: unknown) => (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

const [own, stolen] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
const metadata = () => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});
let issuer: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  asked.length = 0;
  answers.clear();
  answers.set('/.well-known/openid-configuration', json(metadata()));
  answers.set('/keys', json({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256' }] }));
});

/** A client that remembers nothing of another test's provider. */
async function withClient<Result>(work: (client: OpenIdClient) => Promise<Result>): Promise<Result> {
  const operatorOpenId = {
    ...{
      issuer,
      clientId: 'rubrica',
      clientSecret: 'a-secret',
      roles: {},
      redirectUri: 'http://127.0.0.1/back',
    },
    ...{ scope: 'openid', roleClaim: 'roles', acr: undefined, amr: undefined, hosts: undefined },
  };
  const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
  const closing: (() => unknown)[] = [];
  const runner = { own: (_: string, close: () => unknown) => closing.push(close) } as never;
  const config = { operatorOpenId, consoleUrl: undefined, baseUrl: 'http://127.0.0.1' };
  const client = await connectOpenId(config, { runner, logger, clock: systemClock });
  if (client === undefined) throw new Error('there is no client');
  try {
    return await work(client);
  } finally {
    for (const close of closing) await close();
  }
}

const flow = startFlow({ newId: () => crypto.randomUUID(), tokenClock: systemClock });
const back = new URLSearchParams({ code: 'a-code', state: flow.state });
const unavailable = { code: 'SERVICE_UNAVAILABLE' };

function claims(changes: JWTPayload = {}): JWTPayload {
  const iat = Math.floor(Date.now() / 1000);
  const good = { iss: issuer, aud: 'rubrica', sub: 'u-1', nonce: flow.nonce, iat, exp: iat + 300 };
  return JSON.parse(JSON.stringify({ ...good, ...changes }));
}
const signed = (changes: JWTPayload = {}, { key = own.privateKey, kid = 'own' } = {}) =>
  new SignJWT(claims(changes)).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
const hmac = () =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', kid: 'own' })
    .sign(Buffer.from('a-secret'.repeat(4)));

async function redeem(idToken: string | undefined) {
  answers.set('/token', json({ access_token: 'x', token_type: 'Bearer', id_token: idToken }));
  return withClient((client) => client.redeem(flow, back));
}

describe('an id token', () => {
  it('is taken where informational responses come before the answers', async () => {
    const metadataAnswer = json(metadata());
    answers.set('/.well-known/openid-configuration', (response) => {
      response.writeContinue();
      response.writeProcessing();
      return metadataAnswer(response);
    });
    expect(await redeem(await signed())).toMatchObject({ claims: { sub: 'u-1' } });
  });

  it('is taken where all of it is right', async () => {
    expect(await redeem(await signed())).toMatchObject({ claims: { sub: 'u-1' } });
    expect(asked).toEqual(['/.well-known/openid-configuration', '/token', '/keys']);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['a key of nobody', () => signed({}, { key: stolen.privateKey })],
    ['a key that is not published', () => signed({}, { kid: 'other' })],
    ['another nonce', () => signed({ nonce: 'x' })],
    ['no nonce', () => signed({ nonce: undefined })],
    ['another audience', () => signed({ aud: 'another' })],
    ['another issuer', () => signed({ iss: 'https://id.thief.example' })],
    ['an end that is over', () => signed({ exp: 1 })],
    ['no subject', () => signed({ sub: undefined })],
    ['no signature', () => new UnsecuredJWT(claims()).encode()],
    ['our own secret as its key', () => hmac()],
  ])('is refused with %s', async (_what, make) => {
    expect(await redeem(await make())).toEqual({ refusal: 'start-again' });
  });

  it('is needed: an access token alone says nothing of a person', async () => {
    expect(await redeem(undefined)).toEqual({ refusal: 'start-again' });
  });
});

describe('a provider', () => {
  const url = () => withClient((client) => client.authorizationUrl(flow));

  it('is asked once, and again where it gave no good answer', async () => {
    await withClient(async (client) => {
      answers.set('/.well-known/openid-configuration', (response) => response.writeHead(503).end());
      await expect(client.authorizationUrl(flow)).rejects.toMatchObject(unavailable);
      answers.set('/.well-known/openid-configuration', json(metadata()));
      for (const _ of [1, 2]) expect(await client.authorizationUrl(flow)).toContain(`${issuer}/authorize?`);
    });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['another issuer’s document', json({ issuer: 'https://id.thief.example' })],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    [
      'a document of more than 64 KiB',
      (response) => json({ ...metadata(), filler: 'x'.repeat(65_536) })(response),
    ],
    ['what is no JSON', (response) => response.end('hello')],
  ])('that answers %s is not believed', async (_what, answer) => {
    answers.set('/.well-known/openid-configuration', answer);
    await expect(url()).rejects.toMatchObject(unavailable);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('is sent no code and no secret at a host that is neither its own nor listed', async () => {
    const other = issuer.replace('127.0.0.1', 'localhost');
    answers.set(
      '/.well-known/openid-configuration',
      json({ ...metadata(), token_endpoint: `${other}/token` }),
    );
    await expect(redeem(await signed())).rejects.toMatchObject(unavailable);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });
});
