import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Stack, startStack } from '@rubrica/stack';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/rest.ts';

const owned = new AsyncDisposableStack();
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const asked: string[] = [];
let issuer: string;
let baseUrl: string;
let partnerId: string;
let otherId: string;

/** On this machine, where the embedded stack lets the guard of addresses dial. */
const provider = createServer((request, response) => {
  asked.push(request.url ?? '');
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'first', alg: 'ES256' };
  if (request.url === '/keys') return response.end(JSON.stringify({ keys: [jwk] }));
  return response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  owned.defer(() => void provider.close());
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const { home, remember } = owned.use(await stackHome('issuers'));
  const first = await startStack({ home, port: await freePort() });
  await remember(first.info().databaseUrl);
  partnerId = await idOf('sandbox', first);
  otherId = await idOf('other', first);
  await first.stop();
  const env = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'rubrica', OIDC_PARTNER_IDS: partnerId };
  const stack = owned.use(await startStack({ home, port: await freePort(), env }));
  baseUrl = stack.info().baseUrl;
});
afterAll(() => owned.disposeAsync());

async function idOf(key: 'sandbox' | 'other', stack: Stack): Promise<string> {
  const { databaseUrl, partners } = stack.info();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select id from intake.partner where client_id = $1', [
    partners[key].clientId,
  ]);
  await client.end();
  return String(rows[0]?.id);
}

function token(
  claims: object = {},
  { key = privateKey, typ = 'at+jwt' }: { key?: KeyObject; typ?: string } = {},
) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 300;
  const all = { iss: issuer, aud: 'rubrica', exp, scope: 'status:read', partner_id: partnerId, ...claims };
  const signed = `${part({ alg: 'ES256', typ, kid: 'first' })}.${part(all)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

async function status(shown: string): Promise<number> {
  const query = { referenceTransaction: 'NOTHING' };
  return (await send(baseUrl, { path: '/middleware/signature-request/status', query, token: shown })).status;
}

it('a token of the partner’s own issuer opens the door, and its keys are fetched once', async () => {
  expect(await status(token())).toBe(404);
  expect(await status(token({ jti: 'another' }))).toBe(404);
  expect(asked).toEqual(['/.well-known/openid-configuration', '/keys']);
});

it('for another partner, with another key, for another audience or as an id token it opens nothing', async () => {
  const thief = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const attacks = [
    token({ partner_id: otherId }),
    token({}, { key: thief }),
    token({ aud: 'another' }),
    token({ nonce: 'x' }),
    token({}, { typ: 'JWT' }),
    token({ exp: 1 }),
  ];
  for (const attack of attacks) expect(await status(attack)).toBe(401);
  expect(await status(token({ scope: 'collector:write' }))).toBe(403);
});
