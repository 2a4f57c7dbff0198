import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { createAccessTokenVerifier, signAccessToken } from './access-tokens.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const partner: VouchedCaller = { kind: 'partner', partnerId: id, clientId: 'c-1', scopes: ['status:read'] };
const operator: VouchedCaller = { kind: 'operator', operatorId: id, email: 'a@b.ec', role: 'admin' };
const baseUrl = 'https://api.example';

const { clock, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);
const [intake, gateway, generation] = [
  await keyringOf('intake'),
  await keyringOf('gateway'),
  await keyringOf('generation'),
];

const sign = (keyring: Keyring, caller: VouchedCaller, lifeSeconds = 60) =>
  signAccessToken(keyring, { caller, gen: 3 }, { baseUrl, nowMs: clock.nowMs, lifeSeconds });
const verifier = (keyring: Pick<Keyring, 'verifyStatement' | 'knowsKey'> = gateway, lateMs = 0) =>
  createAccessTokenVerifier({ keyring, baseUrl, nowMs: () => clock.nowMs, lateMs });

describe('an access token', () => {
  it.each([partner, operator])('says of a $kind who it is, by intake’s word', (caller) => {
    expect(verifier()(sign(intake, caller))).toMatchObject({ caller, gen: 3 });
  });

  it.each([
    ['the gateway', gateway],
    ['generation', generation],
  ])('is none when %s has signed it', (_, keyring) => {
    expect(() => verifier()(sign(keyring, operator))).toThrow(/intake has no key/);
  });

  it('is refused when anything in it was changed', () => {
    const [header = '', payload = '', signature] = sign(intake, operator).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, email: 'x@b.ec' })).toString('base64url');
    expect(() => verifier()(`${header}.${other}.${signature}`)).toThrow(/does not match/);
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'x' })).toString('base64url');
    expect(() => verifier()(`${none}.${payload}.`)).toThrow(/not a signed statement/);
  });

  it('is no statement of another kind, and no statement of another kind is one', () => {
    const [, payload = ''] = sign(intake, partner).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    expect(() => verifier()(intake.signStatement('rubrica-call+jwt', claims))).toThrow(/of the kind/);
    expect(() =>
      gateway.verifyStatement(sign(intake, partner), { type: 'at+jwt', issuer: 'intake' }),
    ).toThrow();
  });

  it('of an operator is for the operators’ door alone, whatever kind it says', () => {
    const [, payload = ''] = sign(intake, partner).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const moved = intake.signStatement('at+jwt', { ...claims, aud: `${baseUrl}/trpc` });
    expect(() => verifier()(moved)).toThrow(/another audience/);
  });

  it('ends to the millisecond, also where it was believed before; a call that began earlier may go on', () => {
    const [verify, patient] = [verifier(), verifier(gateway, 10_000)];
    const token = sign(intake, partner);
    const { expiresAtMs } = verify(token);
    patient(token);
    clock.nowMs = expiresAtMs - 1;
    expect(verify(token).caller).toEqual(partner);
    clock.nowMs = expiresAtMs;
    expect(() => verify(token)).toThrow(/expired/);
    expect(patient(token).caller).toEqual(partner);
    clock.nowMs = expiresAtMs + 10_000;
    expect(() => patient(token)).toThrow(/expired/);
  });

  it('costs one check of its signature, until its key is ended', () => {
    const state = { checks: 0, known: true };
    const verify = verifier({
      knowsKey: (service, kid) => state.known && gateway.knowsKey(service, kid),
      verifyStatement(jws, expected) {
        state.checks += 1;
        if (!state.known) throw new Error('ended');
        return gateway.verifyStatement(jws, expected);
      },
    });
    const token = sign(intake, partner);
    for (const _ of [1, 2, 3]) verify(token);
    expect(state.checks).toBe(1);
    state.known = false;
    expect(() => verify(token)).toThrow('ended');
  });
});
