import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { compactVerify, importJWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import { uuidv7 } from '../time/uuidv7.ts';
import { createCallTokenVerifier, signCallToken } from '../tokens/call-tokens.ts';
import { generateServiceKeys } from './generate-keys.ts';

const { keys, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);

const type = 'rubrica-test+jwt';
const asked = { type, issuer: 'generation' };

describe('signed statements', () => {
  it('are a JWS that any library verifies, under the key that it names', async () => {
    const generation = await keyringOf('generation');
    const jws = generation.signStatement(type, { sequence: 7 });
    const [jwk] = keys.generation.publicJwks.keys;
    if (!jwk) throw new Error('no key');
    const { payload, protectedHeader } = await compactVerify(jws, await importJWK(jwk, 'EdDSA'));
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: type, kid: jwk.kid });
    expect(JSON.parse(Buffer.from(payload).toString('utf8'))).toEqual({ iss: 'generation', sequence: 7 });
    expect((await keyringOf('intake')).verifyStatement(jws, asked)).toEqual({
      kid: jwk.kid,
      claims: { iss: 'generation', sequence: 7 },
    });
  });

  it('are refused as of another kind or issuer, as a call token, altered, or under another key', async () => {
    const [generation, intake] = [await keyringOf('generation'), await keyringOf('intake')];
    const jws = generation.signStatement(type, { sequence: 7 });
    const fault = (text: string, expected = asked) => {
      try {
        return intake.verifyStatement(text, expected).kid;
      } catch (error) {
        return (error as { fault: string }).fault;
      }
    };
    expect(fault(jws, { ...asked, type: 'rubrica-other+jwt' })).toBe('malformed');
    expect(fault(jws, { ...asked, issuer: 'intake' })).toBe('malformed');
    const partnerId = uuidv7();
    const partner: VouchedCaller = { kind: 'partner', partnerId, clientId: 'c', scopes: [] };
    const options = { receiver: 'intake', givenTo: 'gateway', nowMs: Date.now() } as const;
    expect(fault(signCallToken(generation, partner, options))).toBe('malformed');
    const [header = '', , signature = ''] = jws.split('.');
    const payload = Buffer.from('{"iss":"generation","sequence":8}').toString('base64url');
    expect(fault(`${header}.${payload}.${signature}`)).toBe('not-authentic');
    const other = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: type, kid: 'another' })).toString(
      'base64url',
    );
    expect(fault(`${other}.${jws.split('.').slice(1).join('.')}`)).toBe('unknown-key');
    const identify = createCallTokenVerifier({ keyring: intake, self: 'intake', nowMs: Date.now });
    expect(() => identify(jws, 'generation')).toThrow(/of the kind/);
  });

  it('stay verifiable after a rotation while the peers file lists the old key, also for the service itself', async () => {
    const old = keys.generation;
    const jws = (await keyringOf('generation')).signStatement(type, {});
    const rotated = await keyringOf('generation', generateServiceKeys('generation'));
    expect(rotated.verifyStatement(jws, asked).kid).toBe(old.publicJwks.keys[0]?.kid);
  });
});
