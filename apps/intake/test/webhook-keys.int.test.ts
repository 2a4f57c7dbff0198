import { createPublicKey, sign, verify } from 'node:crypto';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { WebhookSecretEntity } from '../src/access/partners/partner.entity.ts';
import { ownDatabase } from './support/own-database.ts';
import { asOperator, byTwo, callTokenOf, partnerIds, runningIntake, seed } from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake());

const id = partnerIds.sandbox;
function partners() {
  return intake.operators(asOperator('admin')).partners;
}

/** As the notifier asks, for an operator who wants a ping. */
async function signing(partnerId: string) {
  const operatorToken = await callTokenOf(intake, 'reviewer');
  return (await intake.peer('notifier')).partners.signing.mutate({ partnerId, operatorToken });
}

function rotate(input: Parameters<ReturnType<typeof partners>['rotateSecret']['mutate']>[0]) {
  return byTwo(intake, ({ partners }) => partners.rotateSecret.mutate(input));
}

/** What the notifier is given to sign with, opened with its own key. */
async function secretsInForce(): Promise<string[]> {
  const { sealedSecrets } = await signing(id);
  const { keyring } = await intake.ground.peer('notifier');
  return Promise.all(
    sealedSecrets.map((sealed) => keyring.openText(sealed, { purpose: 'webhook-secret', owner: id })),
  );
}

it('a secret of a partner that is named in capitals is sealed for that partner all the same', async () => {
  const made = await byTwo(intake, ({ partners }) =>
    partners.create.mutate({ name: 'Nueva', email: 'nueva@example.com', reason: 'one' }),
  );
  await rotate({ id: made.id.toUpperCase(), kind: 'webhook', reason: 'two' });
  const { sealedSecrets } = await signing(made.id);
  const { keyring } = await intake.ground.peer('notifier');
  const binding = { purpose: 'webhook-secret', owner: made.id } as const;
  const secrets = await Promise.all(sealedSecrets.map((sealed) => keyring.openText(sealed, binding)));
  expect(secrets).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
});

describe('a key pair for webhooks', () => {
  it('is made here, its private key sealed to the notifier, its public key shown', async () => {
    const made = await rotate({ id, kind: 'webhook-ed25519', reason: 'the partner asked' });
    if (made.kind !== 'webhook-ed25519') throw new Error('another kind was made');
    expect(made.publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect((await partners().get.query({ id })).webhookPublicKeys).toEqual([made.publicKey]);
    const secrets = await secretsInForce();
    expect(secrets).toContain(seed.partners[0]?.webhookSecret);
    const privateKey = secrets.find((secret) => secret.startsWith('whsk_')) ?? '';
    const bytes = Buffer.from(privateKey.slice(5), 'base64');
    const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) => part.toString('base64url'));
    const signature = sign(null, Buffer.from('x'), {
      key: { kty: 'OKP', crv: 'Ed25519', d, x },
      format: 'jwk',
    });
    const shown = Buffer.from(made.publicKey.slice(5), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: shown }, format: 'jwk' });
    expect(verify(null, Buffer.from('x'), key, signature)).toBe(true);
    const kept = JSON.stringify(await intake.query('select * from intake.webhook_secret'));
    expect(kept).not.toContain(privateKey.slice(5, 40));
  });

  it('signs beside the one before it for a week, and never ends the shared secret', async () => {
    const before = (await partners().get.query({ id })).webhookPublicKeys;
    for (let rotation = 0; rotation < 4; rotation++) await rotate({ id, kind: 'webhook-ed25519' });
    const secrets = await secretsInForce();
    // Five are used at most: those in force without an end come first.
    expect(
      secrets
        .slice(0, 2)
        .map((secret) => secret.slice(0, 5))
        .toSorted(),
    ).toEqual(['whsec', 'whsk_']);
    expect(secrets).toContain(seed.partners[0]?.webhookSecret);
    expect((await partners().get.query({ id })).webhookPublicKeys).toEqual(expect.arrayContaining(before));
    await using own = await ownDatabase(intake.ground);
    await own.database.transaction(async (em) => {
      for (const secret of await em.find(WebhookSecretEntity, { expiresAt: { $ne: null } }))
        secret.expiresAt = new Date();
    });
    expect((await partners().get.query({ id })).webhookPublicKeys.length).toBe(1);
    expect((await secretsInForce()).length).toBe(2);
  });

  it('leaves a rotation of the shared secret as it was', async () => {
    const made = await rotate({ id, kind: 'webhook' });
    expect(made).toMatchObject({ id, kind: 'webhook', secret: expect.any(String) });
    const secrets = await secretsInForce();
    expect(secrets.filter((secret) => secret.startsWith('whsec_')).length).toBe(2);
    expect(secrets.filter((secret) => secret.startsWith('whsk_')).length).toBe(1);
  });
});

describe('a secret that is replaced immediately', () => {
  it.each(['webhook', 'webhook-ed25519'] as const)(
    'leaves nothing former of the kind %s to sign',
    async (kind) => {
      const prefix = kind === 'webhook' ? 'whsec_' : 'whsk_';
      const ofKind = async () => (await secretsInForce()).filter((secret) => secret.startsWith(prefix));
      await rotate({ id, kind });
      const others = (await secretsInForce()).filter((secret) => !secret.startsWith(prefix));
      const before = await ofKind();
      expect(before.length).toBeGreaterThan(1);
      await rotate({ id, kind, immediately: true, reason: 'it was published' });
      const after = await ofKind();
      expect(after.length).toBe(1);
      expect(before).not.toContain(after[0]);
      const left = (await secretsInForce()).filter((secret) => !secret.startsWith(prefix));
      expect(left.toSorted()).toEqual(others.toSorted());
      const [audited] = await intake.query<{ details: object }>(
        `select details from intake.audit where action = 'partners.rotateSecret' order by id desc limit 1`,
      );
      expect(audited?.details).toEqual({ kind, immediately: true });
    },
  );
});

it('tells the notifier, and nobody else, whom to write to', async () => {
  const notifier = await intake.peer('notifier');
  expect(await notifier.partners.contact.query({ partnerId: id })).toEqual({
    partnerId: id,
    name: 'Partner sandbox',
    email: 'sandbox@example.com',
    language: 'es',
  });
  const generation = await intake.peer('generation');
  await expect(generation.partners.contact.query({ partnerId: id })).rejects.toThrow();
  const unknown = notifier.partners.contact.query({ partnerId: '01900000-0000-7000-8000-0000000000ff' });
  await expect(unknown).rejects.toThrow();
});
