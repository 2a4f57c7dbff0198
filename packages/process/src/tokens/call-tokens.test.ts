import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { createAccessTokenVerifier, signAccessToken } from './access-tokens.ts';
import { createCallTokenVerifier, signCallToken } from './call-tokens.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const partner: VouchedCaller = { kind: 'partner', partnerId: id, clientId: 'c-1', scopes: ['status:read'] };
const operator: VouchedCaller = { kind: 'operator', operatorId: id, email: 'a@b.ec', role: 'admin' };

const { clock, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);
const [intake, gateway, generation] = [
  await keyringOf('intake'),
  await keyringOf('gateway'),
  await keyringOf('generation'),
];

const sign = (caller: VouchedCaller, keyring: Keyring = intake) =>
  signCallToken(keyring, caller, { receiver: 'generation', givenTo: 'gateway', nowMs: clock.nowMs });
const receiver = (
  self: ServiceName = 'generation',
  keyring: Pick<Keyring, 'verifyStatement' | 'knowsKey'> = generation,
) => createCallTokenVerifier({ keyring, self, nowMs: () => clock.nowMs });

describe('a call token', () => {
  it.each([partner, operator])('says for which $kind a service calls', (caller) => {
    expect(receiver()(sign(caller), 'gateway')).toEqual(caller);
  });

  it.each([
    ['the gateway', gateway],
    ['the receiver', generation],
  ])('is none when %s has signed it', (_, keyring) => {
    expect(() => receiver()(sign(operator, keyring), 'gateway')).toThrow(/kind/);
  });

  it('is taken from the service alone that it was given to, also once it was believed', () => {
    const [identify, token] = [receiver(), sign(operator)];
    for (const _ of ['unknown', 'remembered']) {
      expect(() => identify(token, 'notifier')).toThrow(/given to gateway/);
      expect(identify(token, 'gateway')).toEqual(operator);
    }
  });

  it('is taken by the one receiver that it is for', () => {
    expect(() => receiver('terms')(sign(operator), 'gateway')).toThrow(/it is for generation/);
  });

  it('ends after 5 s to the millisecond, also where it was believed before', () => {
    const [identify, token] = [receiver(), sign(operator)];
    clock.nowMs += 4_999;
    expect(identify(token, 'gateway')).toEqual(operator);
    clock.nowMs += 1;
    expect(() => identify(token, 'gateway')).toThrow(/expired/);
    expect(() => receiver()(token, 'gateway')).toThrow(/expired/);
  });

  it('opens no door, and what opens a door is no call token', () => {
    const baseUrl = 'https://api.example';
    const verify = createAccessTokenVerifier({ keyring: gateway, baseUrl, nowMs: () => clock.nowMs });
    expect(() => verify(sign(operator))).toThrow(/of the kind/);
    const options = { baseUrl, nowMs: clock.nowMs, lifeSeconds: 60 };
    const access = signAccessToken(intake, { caller: operator, gen: 1 }, options);
    expect(() => receiver()(access, 'gateway')).toThrow(/of the kind/);
    const [, payload = ''] = access.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const named = { ...claims, iss: 'intake', aud: 'generation' };
    expect(() => receiver()(intake.signStatement('rubrica-call+jwt', named), 'gateway')).toThrow(/claims/);
  });

  it('is refused when anything in it was changed', () => {
    const [header = '', payload = '', signature] = sign(operator).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    for (const change of [{ aud: 'terms' }, { azp: 'notifier' }, { role: 'viewer' }, { exp: 9e9 }]) {
      const other = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url');
      expect(() => receiver()(`${header}.${other}.${signature}`, 'gateway')).toThrow(/does not match/);
    }
  });

  it('costs one check of its signature, until its key is ended', () => {
    const state = { checks: 0, known: true };
    const identify = receiver('generation', {
      knowsKey: (service, kid) => state.known && generation.knowsKey(service, kid),
      verifyStatement(jws, expected) {
        state.checks += 1;
        if (!state.known) throw new Error('ended');
        return generation.verifyStatement(jws, expected);
      },
    });
    const token = sign(partner);
    for (const _ of [1, 2, 3]) identify(token, 'gateway');
    expect(state.checks).toBe(1);
    state.known = false;
    expect(() => identify(token, 'gateway')).toThrow('ended');
  });
});
