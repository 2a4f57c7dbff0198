import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { importJWK, jwtVerify, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';

const partnerId = '01890a5d-ac96-774b-bcce-b302099a8057';
const partner = {
  kind: 'partner',
  partnerId,
  clientId: 'c-1',
  scopes: ['status:read'],
} satisfies VouchedCaller as Extract<VouchedCaller, { kind: 'partner' }>;

const { clock, keys, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);

describe('identity tokens', () => {
  const operator: VouchedCaller = { kind: 'operator', operatorId: partnerId, email: 'a@b.ec', role: 'admin' };

  it.each<VouchedCaller>([partner, operator])('lets the gateway vouch for a $kind', async (caller) => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    expect(await intake.verifyIdentity(gateway.signIdentity(caller), 'gateway')).toEqual(caller);
  });

  it.each<VouchedCaller>([partner, operator])(
    'takes no $kind from a service that may not vouch for it',
    async (caller) => {
      const [intake, generation] = [await keyringOf('intake'), await keyringOf('generation')];
      await expect(generation.verifyIdentity(intake.signIdentity(caller), 'intake')).rejects.toMatchObject({
        fault: 'issuer-not-allowed',
      });
    },
  );

  it('takes no token of the gateway from another service, also where the gateway has shown it before', async () => {
    const [gateway, generation] = [await keyringOf('gateway'), await keyringOf('generation')];
    const token = gateway.signIdentity(partner);
    await generation.verifyIdentity(token, 'gateway');
    await expect(generation.verifyIdentity(token, 'intake')).rejects.toMatchObject({
      fault: 'issuer-not-allowed',
    });
  });

  it('refuses a token that names the gateway but is signed with another key', async () => {
    const [signing] = keys.intake.privateJwks.keys;
    const [gatewayKey] = keys.gateway.publicJwks.keys;
    if (!signing || !gatewayKey) throw new Error('no keys');
    const iat = Math.floor(clock.nowMs / 1000);
    const forge = async (kid: string) =>
      new SignJWT({ ...partner, scopes: [...partner.scopes], iss: 'gateway', iat, exp: iat + 60 })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'rubrica-identity+jwt', kid })
        .sign(await importJWK(signing, 'EdDSA'));
    const generation = await keyringOf('generation');
    const verify = async (kid: string) => generation.verifyIdentity(await forge(kid), 'gateway');
    await expect(verify(gatewayKey.kid)).rejects.toMatchObject({ fault: 'not-authentic' });
    await expect(verify(signing.kid)).rejects.toMatchObject({ fault: 'unknown-key' });
    await expect(verify('nobody')).rejects.toMatchObject({ fault: 'unknown-key' });
  });

  it('refuses a token without algorithm, or signed with its public key as an HMAC secret', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const [, payload] = gateway.signIdentity(partner).split('.');
    const [jwk] = keys.gateway.publicJwks.keys;
    const header = (alg: string) =>
      Buffer.from(JSON.stringify({ alg, typ: 'rubrica-identity+jwt', kid: jwk?.kid })).toString('base64url');
    await expect(intake.verifyIdentity(`${header('none')}.${payload}.`, 'gateway')).rejects.toMatchObject({
      fault: 'malformed',
    });
    await expect(
      intake.verifyIdentity(`${header('HS256')}.${payload}.AAAA`, 'gateway'),
    ).rejects.toMatchObject({
      fault: 'malformed',
    });
    await expect(intake.verifyIdentity('', 'gateway')).rejects.toMatchObject({ fault: 'malformed' });
  });

  it('expires, also where it was verified before', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const token = gateway.signIdentity(partner);
    await intake.verifyIdentity(token, 'gateway');
    clock.nowMs += 66_000;
    await expect(intake.verifyIdentity(token, 'gateway')).rejects.toMatchObject({ fault: 'expired' });
    await expect((await keyringOf('generation')).verifyIdentity(token, 'gateway')).rejects.toMatchObject({
      fault: 'expired',
    });
  });

  it('refuses a life longer than a receiver accepts, and a start in the future', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    await expect(
      intake.verifyIdentity(gateway.signIdentity(partner, 3_600), 'gateway'),
    ).rejects.toMatchObject({
      fault: 'expired',
    });
    clock.nowMs += 20_000;
    const early = gateway.signIdentity(partner, 61);
    clock.nowMs -= 20_000;
    await expect(intake.verifyIdentity(early, 'gateway')).rejects.toMatchObject({ fault: 'expired' });
  });

  it('signs once for many calls and anew when half its life is over', async () => {
    const gateway = await keyringOf('gateway');
    const token = gateway.signIdentity(partner);
    clock.nowMs += 29_000;
    expect(gateway.signIdentity({ ...partner })).toBe(token);
    expect(gateway.signIdentity({ ...partner, scopes: [] })).not.toBe(token);
    clock.nowMs += 2_000;
    expect(gateway.signIdentity(partner)).not.toBe(token);
  });

  it('is a JWT that any library verifies', async () => {
    const [jwk] = keys.gateway.publicJwks.keys;
    if (!jwk) throw new Error('no key');
    const token = (await keyringOf('gateway')).signIdentity(partner);
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'EdDSA'), {
      currentDate: new Date(clock.nowMs),
    });
    expect(payload).toMatchObject({ iss: 'gateway', ...partner });
  });
});
