import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { grantFields, grantOf } from './support/grants.ts';
import type { Peer } from './support/peers.ts';
import { openScene } from './support/scene.ts';

async function issued(): Promise<string> {
  const event = await scene.order();
  if (event.subject !== 'issued') throw new Error(event.code);
  return event.requestId;
}

/** What an attacker gets with the keys and the bus users of the gateway and of the notifier. */
const scene = await disposeAfterAll(openScene());
const [requestId, another] = [await issued(), await issued()];

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  );
const release = (peer: Peer, grant: string) => codeOf(peer.serviceClient().bundles.release.query({ grant }));
const purge = (grant: string) => codeOf(scene.notifier.serviceClient().bundles.purge.mutate({ grant }));
const seconds = () => Math.floor(Date.now() / 1_000);

describe('a bundle', () => {
  it('is released to the service that intake has granted it to, and to no other', async () => {
    const ofGateway = await grantOf(scene.env, requestId);
    const ofNotifier = await grantOf(scene.env, requestId, { azp: 'notifier' });
    expect(await release(scene.gateway, ofNotifier)).toBe('FORBIDDEN');
    expect(await release(scene.notifier, ofGateway)).toBe('FORBIDDEN');
    expect(await release(scene.notifier, ofNotifier)).toBe('OK');
    expect(await release(scene.gateway, ofGateway)).toBe('OK');
  });

  it('is not released for what a service has signed itself, nor for another kind of statement', async () => {
    const { keyring } = scene.env.intakePeer;
    const fields = await grantFields(scene.env, requestId);
    for (const peer of [scene.gateway, scene.notifier]) {
      const own = peer.keyring.signStatement('rubrica-grant+jwt', { ...fields, iss: 'intake' });
      expect(await release(peer, own)).toBe('FORBIDDEN');
    }
    expect(await release(scene.gateway, keyring.signStatement('rubrica-other+jwt', fields))).toBe(
      'FORBIDDEN',
    );
    const grant = await grantOf(scene.env, requestId);
    const [header, , signature] = grant.split('.');
    const { serials: _, ...asked } = JSON.parse(
      Buffer.from((await grantOf(scene.env, another)).split('.')[1] ?? '', 'base64url').toString(),
    );
    const changed = Buffer.from(JSON.stringify(asked)).toString('base64url');
    expect(await release(scene.gateway, `${header}.${changed}.${signature}`)).toBe('FORBIDDEN');
    expect(await release(scene.gateway, requestId)).toBe('FORBIDDEN');
  });

  it.each([
    ['of another service than this', { aud: 'intake' }],
    ['without an id', { jti: undefined }],
    ['with more than a grant says', { anything: true }],
    ['of more than minutes', { exp: seconds() + 3_600 }],
    ['that begins in the future', { iat: seconds() + 3_600, exp: seconds() + 3_700 }],
    ['that has ended', { iat: seconds() - 301, exp: seconds() - 1 }],
  ])('is not released for a grant %s', async (_, rest) => {
    expect(await release(scene.gateway, await grantOf(scene.env, requestId, { rest }))).toBe('FORBIDDEN');
  });

  it('is not released for the serial number, request or partner of another', async () => {
    const other = (await grantFields(scene.env, another)) as { serial: string };
    for (const rest of [{ serial: other.serial }, { requestId: another }, { partnerId: uuidv7() }]) {
      const grant = await grantOf(scene.env, requestId, { rest });
      expect(await release(scene.gateway, grant)).toBe('CERTIFICATE_NOT_FOUND');
    }
  });

  it('is not purged for a grant to release it, nor released for one to purge it', async () => {
    expect(await purge(await grantOf(scene.env, requestId, { azp: 'notifier' }))).toBe('FORBIDDEN');
    const toPurge = await grantOf(scene.env, requestId, { azp: 'notifier', purpose: 'purge' });
    expect(await release(scene.notifier, toPurge)).toBe('FORBIDDEN');
    const ofGateway = await grantOf(scene.env, requestId, { purpose: 'purge' });
    expect(await purge(ofGateway)).toBe('FORBIDDEN');
    const own = scene.notifier.keyring.signStatement('rubrica-grant+jwt', {
      ...(await grantFields(scene.env, requestId, { azp: 'notifier', purpose: 'purge' })),
      iss: 'intake',
    });
    expect(await purge(own)).toBe('FORBIDDEN');
    expect(await purge(toPurge)).toBe('OK');
  });
});
