import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRubrica } from '@rubrica/sdk';
import { makeReference } from '@rubrica/testkit';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { byTwoAdministrators, operatorActor } from './support/operator-actor.ts';
import { codeBlocks } from './support/readme.ts';
import { parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { projectRoot, runProgram } from './support/shell.ts';

const scene = await closeAfterAll(joinScene());
const admin = await operatorActor(scene.stack.info(), 'admin');

const importOptions = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  Ed25519: { name: 'Ed25519' },
} as const;
type Algorithm = keyof typeof importOptions;

function makePair(algorithm: Algorithm) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return algorithm === 'Ed25519'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function asCryptoKey(key: KeyObject, algorithm: Algorithm) {
  const jwk = key.export({ format: 'jwk' });
  return crypto.subtle.importKey('jwk', jwk, importOptions[algorithm], false, ['sign']);
}

/** A partner whose key two administrators have registered. */
async function partnerWithKey(algorithm: Algorithm) {
  const { id, clientId } = await byTwoAdministrators(scene.stack.info(), 'partners.create', {
    name: 'Keys',
    email: 'keys@example.com',
  });
  const { publicKey, privateKey } = makePair(algorithm);
  const key = publicKey.export({ format: 'jwk' }) as Record<string, string>;
  const { keyId } = await byTwoAdministrators(scene.stack.info(), 'partners.addKey', {
    id,
    key,
    reason: 'asked in writing',
  });
  return { id, clientId, keyId, privateKey };
}

/** As a program that knows nothing of us finds its way: metadata first, then an assertion. */
async function discovered(clientId: string, privateKey: KeyObject, algorithm: Algorithm) {
  const key = await asCryptoKey(privateKey, algorithm);
  return client.discovery(
    new URL(scene.stack.info().baseUrl),
    clientId,
    undefined,
    client.PrivateKeyJwt({ key, kid: 'a name of its own' }),
    { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
  );
}

describe('a partner with a key', () => {
  it.each(['ES256', 'PS256', 'RS256', 'Ed25519'] as const)(
    'finds /.well-known/oauth-authorization-server and gets a token by %s, with openid-client',
    async (algorithm) => {
      const { clientId, privateKey } = await partnerWithKey(algorithm);
      const config = await discovered(clientId, privateKey, algorithm);
      expect(config.serverMetadata().token_endpoint).toBe(`${scene.stack.info().baseUrl}/oauth/token`);
      const { access_token: token, scope } = await client.clientCredentialsGrant(config, {
        scope: 'status:read',
      });
      expect(scope).toBe('status:read');
      const query = { referenceTransaction: makeReference() };
      const answer = await scene.call({ path: '/middleware/signature-request/status', query, token });
      expect(answer.status).toBe(404);
    },
  );

  it.each(['oauth2', 'oidc'] as const)(
    'needs the address, its id and its secret alone where its library knows %s',
    async (algorithm) => {
      const { baseUrl, partners } = scene.stack.info();
      const { clientId, clientSecret } = partners.sandbox;
      const options = { algorithm, execute: [client.allowInsecureRequests] };
      const config = await client.discovery(new URL(baseUrl), clientId, clientSecret, undefined, options);
      expect(config.serverMetadata()).toMatchObject({ token_endpoint: `${baseUrl}/oauth/token` });
      const { access_token: token, expires_in: seconds } = await client.clientCredentialsGrant(config);
      expect(seconds).toBe(1_800);
      const query = { referenceTransaction: makeReference() };
      expect((await scene.call({ path: '/middleware/signature-request/status', query, token })).status).toBe(
        404,
      );
    },
  );

  it('gets one token for an assertion, and none when it is shown again', async () => {
    const { clientId, privateKey } = await partnerWithKey('ES256');
    const config = await discovered(clientId, privateKey, 'ES256');
    let sent = '';
    config[client.customFetch] = (url, options) => {
      sent = String(options.body);
      return fetch(url, options as RequestInit);
    };
    await client.clientCredentialsGrant(config);
    const again = () =>
      scene.call({
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: sent,
      });
    for (const answer of await Promise.all([again(), again(), again()])) {
      expect(answer.status).toBe(401);
      expect(parseErrorAnswer(answer)).toMatchObject({ error: 'invalid_client', code: 'UNAUTHENTICATED' });
    }
    expect(await client.clientCredentialsGrant(config)).toMatchObject({ token_type: 'bearer' });
  });

  it('gets nothing by a key that was removed, or that is of another partner', async () => {
    const [one, other] = [await partnerWithKey('ES256'), await partnerWithKey('ES256')];
    const crossed = await discovered(one.clientId, other.privateKey, 'ES256');
    const refusal = { status: 401 };
    await expect(client.clientCredentialsGrant(crossed)).rejects.toMatchObject(refusal);
    const config = await discovered(one.clientId, one.privateKey, 'ES256');
    await client.clientCredentialsGrant(config);
    await admin.call('partners.removeKey', { id: one.id, keyId: one.keyId, reason: 'stolen' });
    await expect(client.clientCredentialsGrant(config)).rejects.toMatchObject(refusal);
  });
});

describe('the SDK with a private key', () => {
  const named = { referenceTransaction: makeReference() };
  const clientOf = ({ clientId, privateKey }: Awaited<ReturnType<typeof partnerWithKey>>) => {
    const key = privateKey.export({ format: 'jwk' });
    return createRubrica({ baseUrl: scene.stack.info().baseUrl, clientId, privateKey: key, maxAttempts: 1 });
  };

  it.each(['ES256', 'PS256', 'Ed25519'] as const)(
    'calls with a token that it got by %s',
    async (algorithm) => {
      const rubrica = clientOf(await partnerWithKey(algorithm));
      await expect(rubrica.linkedPartner.status(named)).rejects.toMatchObject({ code: 'REQUEST_NOT_FOUND' });
    },
  );

  it('gets nothing by the key of another partner, or for another service', async () => {
    const [one, other] = [await partnerWithKey('ES256'), await partnerWithKey('ES256')];
    const refusal = { status: 401, code: 'UNAUTHENTICATED' };
    const crossed = clientOf({ ...one, privateKey: other.privateKey });
    await expect(crossed.linkedPartner.status(named)).rejects.toMatchObject(refusal);
    const elsewhere = createRubrica({
      baseUrl: scene.stack.info().baseUrl,
      clientId: one.clientId,
      privateKey: one.privateKey.export({ format: 'jwk' }),
      audience: 'https://elsewhere.test/oauth/token',
    });
    await expect(elsewhere.linkedPartner.status(named)).rejects.toMatchObject(refusal);
  });

  it('is as its README shows it', async () => {
    const readme = join(projectRoot, 'packages', 'sdk', 'README.md');
    const [program, ...others] = await codeBlocks(readme, 'ts', '// private-key');
    expect(others).toEqual([]);
    const { clientId: CLIENT_ID, privateKey } = await partnerWithKey('ES256');
    await mkdir(join(projectRoot, '.rubrica'), { recursive: true });
    const folder = await mkdtemp(join(projectRoot, '.rubrica', 'sdk-'));
    try {
      await writeFile(join(folder, 'program.ts'), program ?? '');
      const KEY_FILE = join(folder, 'key.pem');
      await writeFile(KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const env = { ...process.env, BASE_URL: scene.stack.info().baseUrl, CLIENT_ID, KEY_FILE };
      const ran = await runProgram(process.execPath, ['program.ts'], { cwd: folder, env });
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'REQUEST_NOT_FOUND\n' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
