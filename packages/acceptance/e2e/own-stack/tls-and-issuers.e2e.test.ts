import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Seed } from '@rubrica/stack';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { queryStack } from '../support/ledger.ts';
import { openScene } from '../support/scene.ts';

const owned = await disposeAfterAll(new AsyncDisposableStack());
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const asked: string[] = [];
let partnerId: string;
let otherId: string;

/** On this machine, where the embedded stack lets the guard of addresses dial. */
const provider = createServer((request, response) => {
  asked.push(request.url ?? '');
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'first', alg: 'ES256' };
  if (request.url === '/keys') return response.end(JSON.stringify({ keys: [jwk] }));
  return response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
});

await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
owned.defer(() => void provider.close());
const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
const scene = owned.use(
  await openScene(({ partners }) => {
    partnerId = idOf('sandbox', partners);
    otherId = idOf('other', partners);
    const env = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'rubrica', OIDC_PARTNER_IDS: partnerId };
    return { tls: true, env };
  }),
);

function idOf(key: 'sandbox' | 'other', partners: Seed['partners']): string {
  return partners.find((partner) => partner.key === key)?.id ?? '';
}

describe('a stack with TLS inside', () => {
  it('leads a request from registration to its certificate and its webhook', async () => {
    const { sandbox } = scene.partners;
    const { reference } = await sandbox.accepted();
    await sandbox.hears(reference, 'certificate.issued');
    await scene.assertUntroubled();
  });

  it('has no connection to PostgreSQL that is not encrypted', async () => {
    const rows = await queryStack(
      scene.stack,
      `select distinct usename, ssl from pg_stat_ssl join pg_stat_activity using (pid)
       where usename like 'rubrica\\_%' order by usename`,
    );
    const services = ['generation', 'intake', 'notifier', 'terms'];
    expect(rows).toEqual(services.map((name) => ({ usename: `rubrica_${name}`, ssl: true })));
  });
});

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
  const call = { path: '/middleware/signature-request/status', query, token: shown };
  return (await scene.call(call)).status;
}

describe('a token of the partner’s own issuer', () => {
  it('opens the door, and its keys are fetched once', async () => {
    expect(await status(token())).toBe(404);
    expect(await status(token({ jti: 'another' }))).toBe(404);
    expect(asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('opens nothing for another partner, with another key, for another audience or as an id token', async () => {
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
});
