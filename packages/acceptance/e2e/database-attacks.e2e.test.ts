import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateServiceKeys, loadKeyring, signAccessToken, toAppError } from '@rubrica/process';
import { createPeers, type Prove } from '@rubrica/wiring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryStack } from './support/ledger.ts';
import { closeUntroubled, joinScene, type Scene } from './support/scene.ts';
import { stolenBus } from './support/stolen-service.ts';

/** What an attacker gets of a stack that runs with a backup of intake's tables. */
const owned = new AsyncDisposableStack();
let scene: Scene;

beforeAll(async () => {
  scene = await joinScene();
});
afterAll(async () => {
  await owned.disposeAsync();
  await closeUntroubled(scene);
});

/** A request that waits for its applicant, so that there is a link. */
async function approved(): Promise<void> {
  const { otp } = scene.partners;
  const { reference } = await otp.accepted({ password: undefined });
  await otp.reaches(reference, 'APPROVED');
}

describe('a backup of intake’s tables and the gateway’s bus user: act as any partner', () => {
  /** With the gateway's password on the bus, keys of the attacker's own, and the public keys of all. */
  async function brokenGateway() {
    const bus = await stolenBus(scene, 'gateway');
    owned.defer(() => bus.drain());
    const { privateJwks, publicJwks } = generateServiceKeys('gateway');
    const everybody = join(scene.stack.home, 'state', 'keys', 'peers.json');
    const peers = { ...JSON.parse(await readFile(everybody, 'utf8')), gateway: publicJwks };
    const [keysFile, peersFile] = [join(scene.folder, 'own.json'), join(scene.folder, 'peers.json')];
    await writeFile(keysFile, JSON.stringify(privateJwks));
    await writeFile(peersFile, JSON.stringify(peers));
    const keyring = await loadKeyring({ keysFile, peersFile }, 'gateway');
    const prove: Prove = (caller) => {
      const options = { baseUrl: scene.stack.info().baseUrl, nowMs: Date.now(), lifeSeconds: 60 };
      const token = signAccessToken(keyring, { caller, gen: 1 }, options);
      return keyring.sealTo('intake', token, { purpose: 'door-token', owner: 'gateway' });
    };
    return { ...createPeers({ self: 'gateway', bus, prove, timeoutMs: 5_000 }), keyring };
  }
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'OK',
      (error: unknown) => toAppError(error).code,
    );

  it('gets no token by the hash of a client’s secret or of an API token, and opens no claim by a link’s', async () => {
    await approved();
    const gateway = await brokenGateway();
    const clients = await queryStack<{ clientId: string; hash: string }>(
      scene.stack,
      'select client_id as "clientId", client_secret_sha256 as hash from intake.partner where client_secret_sha256 is not null',
    );
    expect(clients.length).toBeGreaterThanOrEqual(3);
    const seal = (text: string, binding: Parameters<typeof gateway.keyring.sealTo>[2]) =>
      gateway.keyring.sealTo('intake', text, binding);
    for (const { clientId, hash } of clients) {
      const sealed = await seal(hash, { purpose: 'entered-client-secret', owner: clientId });
      for (const sealedSecret of [hash, sealed]) {
        const asked = gateway.intake['tokens.issue']({ clientId, sealedSecret });
        expect(await codeOf(asked)).toBe('UNAUTHENTICATED');
      }
    }
    const links = await queryStack<{ hash: string }>(
      scene.stack,
      'select claim_token_sha256 as hash from intake.request where claim_token_sha256 is not null limit 5',
    );
    expect(links).not.toEqual([]);
    for (const { hash } of links) {
      const token = await seal(hash, { purpose: 'entered-token', owner: 'gateway' });
      const exchanged = gateway.intake['tokens.exchange']({ sealedToken: token });
      expect(await codeOf(exchanged)).toBe('UNAUTHENTICATED');
      const link = await seal(hash, { purpose: 'claim-token', owner: 'gateway' });
      expect(await codeOf(gateway.intake['claims.view']({ sealedToken: link }))).toBe('CLAIM_LINK_INVALID');
    }
  });

  it('gets a token by the secret itself: the calls are right, only hashes are no credentials', async () => {
    const gateway = await brokenGateway();
    const { clientId, clientSecret } = scene.stack.info().partners.sandbox;
    const binding = { purpose: 'entered-client-secret', owner: clientId } as const;
    const sealedSecret = await gateway.keyring.sealTo('intake', clientSecret, binding);
    expect(await codeOf(gateway.intake['tokens.issue']({ clientId, sealedSecret }))).toBe('OK');
  });

  it('gets nothing by saying who calls, which the gateway’s keys sign and not its bus user', async () => {
    const { reference } = await scene.partners.sandbox.accepted();
    const gateway = await brokenGateway();
    const [partner] = await queryStack<{ partnerId: string; clientId: string }>(
      scene.stack,
      'select id as "partnerId", client_id as "clientId" from intake.partner where client_id = $1',
      [scene.stack.info().partners.sandbox.clientId],
    );
    const caller = { kind: 'partner', scopes: ['status:read'], ...partner } as never;
    const asked = gateway.intake['requests.status'](
      { family: 'TV', referenceTransaction: reference } as never,
      { for: caller },
    );
    expect(await codeOf(asked)).toBe('UNAUTHENTICATED');
  });
});
