import { createPrivateKey, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compactVerify, createLocalJWKSet, importJWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import { createCallTokenVerifier } from '../tokens/call-tokens.ts';
import { type GeneratedKeys, generateServiceKeys } from './generate-keys.ts';
import type { PrivateJwk } from './key-files.ts';
import { loadCheckpointVerifier, loadKeyring } from './keyring.ts';
import type { KeyringError } from './keyring-error.ts';

const { folder, keys, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);

const type = 'rubrica-audit+jwt';

function keyOf({ privateJwks }: GeneratedKeys, use: PrivateJwk['use']): PrivateJwk {
  const key = privateJwks.keys.find((one) => one.use === use);
  if (key === undefined || key.use === 'mac') throw new Error(`no key of use ${use}`);
  return key;
}

/** What who has read a key file can make of it. */
function forge(key: PrivateJwk, header: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'EdDSA', typ: type, kid: key.kid, ...header })}.${part(claims)}`;
  const { kty, crv, x, d } = key;
  const secret = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' });
  return `${signed}.${sign(null, Buffer.from(signed), secret).toString('base64url')}`;
}

async function refusal(jws: string) {
  const intake = await keyringOf('intake');
  try {
    return { fault: 'none', message: intake.verifyCheckpoint(jws, 'generation').kid };
  } catch (error) {
    return error as { fault: string; message: string };
  }
}

describe('a checkpoint of an audit log', () => {
  it('is a JWS that any library verifies, under the audit key that it names', async () => {
    const { d: _, ...jwk } = keyOf(keys.generation, 'audit');
    const jws = (await keyringOf('generation')).signCheckpoint({ seq: 7 });
    const { payload, protectedHeader } = await compactVerify(jws, await importJWK(jwk, 'EdDSA'));
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: type, kid: jwk.kid });
    expect(JSON.parse(Buffer.from(payload).toString('utf8'))).toEqual({ iss: 'generation', seq: 7 });
  });

  it('is verified with public keys alone, by an auditor and by every service', async () => {
    const jws = (await keyringOf('generation')).signCheckpoint({ seq: 7 });
    const file = join(folder, 'auditor.json');
    await writeFile(file, JSON.stringify({ generation: keys.generation.publicJwks }));
    for (const verifier of [await loadCheckpointVerifier(file), await keyringOf('intake')]) {
      expect(verifier.verifyCheckpoint(jws, 'generation')).toEqual({
        kid: keyOf(keys.generation, 'audit').kid,
        claims: { iss: 'generation', seq: 7 },
      });
    }
  });

  it('stays verifiable after a rotation while the peers file lists the old key', async () => {
    const jws = (await keyringOf('generation')).signCheckpoint({});
    const rotated = await keyringOf('generation', generateServiceKeys('generation'));
    expect(rotated.verifyCheckpoint(jws, 'generation').kid).toBe(keyOf(keys.generation, 'audit').kid);
  });

  const claims = { iss: 'generation', seq: 7 };
  it.each<[string, () => string]>([
    ['the identity key of the service', () => forge(keyOf(keys.generation, 'sig'), {}, claims)],
    [
      'the identity key of the service under the id of its audit key',
      () => forge(keyOf(keys.generation, 'sig'), { kid: keyOf(keys.generation, 'audit').kid }, claims),
    ],
    ['the identity key of the gateway', () => forge(keyOf(keys.gateway, 'sig'), {}, claims)],
    ['the audit key of another service', () => forge(keyOf(keys.intake, 'audit'), {}, claims)],
  ])('is refused when it is signed by %s, and the key is named', async (_, make) => {
    const { fault, message } = await refusal(make());
    expect(fault).toBe('wrong-use');
    expect(message).toMatch(
      /signed by key (generation-sig|gateway-sig|intake-audit)-\w+ of .* of use "audit"/,
    );
  });

  it('is refused under a key that nobody knows, altered, or as of another service', async () => {
    const stranger = keyOf(generateServiceKeys('generation'), 'audit');
    expect(await refusal(forge(stranger, {}, claims))).toMatchObject({ fault: 'unknown-key' });
    const { kid } = keyOf(keys.generation, 'audit');
    expect(await refusal(forge(stranger, { kid }, claims))).toMatchObject({ fault: 'not-authentic' });
    const jws = (await keyringOf('generation')).signCheckpoint({ seq: 7 });
    const [header = '', , signature = ''] = jws.split('.');
    const payload = Buffer.from('{"iss":"generation","seq":8}').toString('base64url');
    expect(await refusal(`${header}.${payload}.${signature}`)).toMatchObject({ fault: 'not-authentic' });
    expect(await refusal((await keyringOf('intake')).signCheckpoint({ seq: 7 }))).not.toMatchObject({
      fault: 'none',
    });
    expect(await refusal('')).toMatchObject({ fault: 'malformed' });
  });
});

describe('an audit key', () => {
  it('signs no call: a call token by it is refused, whatever key it names', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const key = keyOf(keys.intake, 'audit');
    const iat = Math.floor(Date.now() / 1_000);
    const partner = { kind: 'partner', partner_id: uuidv7(), sub: 'c', client_id: 'c', scope: '' };
    const token = { iss: 'intake', aud: 'terms', azp: 'gateway', iat, exp: iat + 5, ...partner };
    const typ = 'rubrica-call+jwt';
    const identify = createCallTokenVerifier({ keyring: gateway, self: 'terms', nowMs: Date.now });
    const faultOf = async (jws: string) => {
      try {
        await identify(jws, 'gateway');
      } catch (error) {
        return (error as KeyringError).fault;
      }
      return 'none';
    };
    expect(await faultOf(forge(key, { typ }, token))).toBe('unknown-key');
    const named = forge(key, { typ, kid: keyOf(keys.intake, 'sig').kid }, token);
    expect(await faultOf(named)).toBe('not-authentic');
    expect(await faultOf(intake.signCheckpoint({}))).toBe('malformed');
  });

  it('is passed over by libraries that look for a key of use "sig"', async () => {
    const jws = (await keyringOf('intake')).signCheckpoint({});
    await expect(compactVerify(jws, createLocalJWKSet(keys.intake.publicJwks))).rejects.toThrow(
      /no applicable key/,
    );
  });

  it('is demanded of every service that keeps an audit log, and the gateway has none', async () => {
    expect(keys.gateway.privateJwks.keys.map(({ use }) => use)).toEqual(['sig', 'enc']);
    const gateway = await keyringOf('gateway');
    expect(() => gateway.signCheckpoint({})).toThrow(/keeps no audit log/);
    const without = { keys: keys.intake.privateJwks.keys.filter(({ use }) => use !== 'audit') };
    await expect(keyringOf('intake', { ...keys.intake, privateJwks: without })).rejects.toThrow(
      /has no key of use "audit"$/,
    );
  });

  it('may be no copy of an identity key: the files are refused, and both ids named', async () => {
    const copy = { ...keyOf(keys.intake, 'sig'), use: 'audit', kid: 'copy' } as PrivateJwk;
    const own = generateServiceKeys('intake');
    const doubled = { keys: [...own.privateJwks.keys.filter(({ use }) => use !== 'audit'), copy] };
    const { kid } = keyOf(keys.intake, 'sig');
    await expect(keyringOf('intake', { ...own, privateJwks: doubled })).rejects.toThrow(
      new RegExp(`have one key for two uses: .*(copy|${kid}) and (copy|${kid})$`),
    );
    const file = join(folder, 'doubled-peers.json');
    const { d: _, ...open } = copy;
    await writeFile(file, JSON.stringify({ intake: { keys: [...keys.intake.publicJwks.keys, open] } }));
    await expect(loadCheckpointVerifier(file)).rejects.toThrow(/one key for two uses/);
    const files = { keysFile: join(folder, 'own.json'), peersFile: file };
    await writeFile(files.keysFile, JSON.stringify(own.privateJwks));
    await expect(loadKeyring(files, 'intake')).rejects.toThrow(/one key for two uses/);
  });
});
