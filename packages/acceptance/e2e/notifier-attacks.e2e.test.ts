import { grantLifeMs, grantType } from '@rubrica/contracts/services/schemas/grants';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { signCallToken } from '@rubrica/process/tokens';
import { disposeAfterAll } from '@rubrica/testkit';
import { createPeers } from '@rubrica/wiring';
import { describe, expect, it } from 'vitest';
import { queryStack } from './support/ledger.ts';
import { openPkcs12 } from './support/pkcs12.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { stolenBus, stolenKeys } from './support/stolen-service.ts';

/**
 * What an attacker gets with the notifier's user on the bus and its key files, of a stack that runs: not the webhook
 * secrets of all partners, and not any PKCS#12.
 */
const owned = await disposeAfterAll(new AsyncDisposableStack());

const scene = await closeAfterAll(joinScene(), ['webhook_event']);
const notifier = await brokenNotifier();

async function brokenNotifier() {
  const keyring = await stolenKeys(scene, 'notifier');
  const bus = await stolenBus(scene, 'notifier', keyring);
  owned.defer(() => bus.drain());
  return { ...createPeers({ self: 'notifier', bus, timeoutMs: 5_000 }), keyring };
}

/** A certificate that was issued to a partner, and the event that hands it over. */
async function issued() {
  const { sandbox } = scene.partners;
  const { requestId, reference } = await sandbox.accepted();
  const { id: eventId, body } = await sandbox.hears(reference, 'certificate.issued');
  const [row] = await queryStack<{ partnerId: string }>(
    scene.stack,
    'select partner_id as "partnerId" from intake.request where id = $1',
    [requestId],
  );
  return { requestId, eventId, partnerId: row?.partnerId ?? '', serial: String(body.serialNumber) };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  );
const signing = (eventId: string) => notifier.intake['events.signing']({ eventId });
const openEvent = (eventId: string) => notifier.intake['events.get']({ eventId });
const release = (grant: string) => codeOf(notifier.generation['bundles.release']({ grant }));

describe('notifier: read webhook secrets of all partners', () => {
  it('reads one for an event of the partner that is open', async () => {
    const { eventId, partnerId: owner } = await issued();
    const { sealedSecrets: first } = await openEvent(eventId);
    const { sealedSecrets: further } = await signing(eventId);
    const secrets = [first, further].flat().map(async (sealed) => {
      return notifier.keyring.openText(sealed, { purpose: 'webhook-secret', owner });
    });
    const { webhookSecret } = scene.stack.info().partners.sandbox;
    expect(await Promise.all(secrets)).toEqual([webhookSecret, webhookSecret]);
  });

  it('does not by the ids of partners, requests and what it makes up', async () => {
    const { requestId, partnerId } = await issued();
    for (const eventId of [partnerId, requestId, uuidv7()]) {
      expect(await codeOf(signing(eventId))).toBe('REQUEST_STATE_NOT_ALLOWED');
      expect(await codeOf(openEvent(eventId))).toBe('REQUEST_NOT_FOUND');
    }
  });

  it('does not in the name of an operator', async () => {
    const { eventId, partnerId } = await issued();
    const { intake, keyring } = notifier;
    const [row] = await queryStack<{ operatorId: string; email: string }>(
      scene.stack,
      `select id as "operatorId", email from intake.operator where role = 'admin' limit 1`,
    );
    const operator = { kind: 'operator', role: 'admin', operatorId: '', email: '', ...row } as const;
    const forged = signCallToken(keyring, operator, {
      receiver: 'notifier',
      givenTo: 'gateway',
      nowMs: Date.now(),
    });
    for (const operatorToken of ['made.up.token', forged]) {
      const ping = intake['partners.signing']({ partnerId, operatorToken });
      expect(await codeOf(ping)).toBe('UNAUTHENTICATED');
      const reopened = intake['events.reopen']({ partnerId, eventIds: [eventId], operatorToken });
      expect(await codeOf(reopened)).toBe('UNAUTHENTICATED');
    }
  });

  it('does not for an event that is over, whose bundle was purged', async () => {
    const { eventId } = await issued();
    await notifier.intake['events.end']({ eventIds: [eventId] });
    expect(await codeOf(signing(eventId))).toBe('REQUEST_STATE_NOT_ALLOWED');
    expect(await openEvent(eventId)).toMatchObject({ sealedSecrets: [], grant: null });
  });

  it('does not for an event whose time was changed in the database', async () => {
    const { eventId } = await issued();
    const moveBy = async (hours: number) => {
      const sql = `update intake.webhook_event set occurred_at = occurred_at + make_interval(hours => $2) where id = $1`;
      await queryStack(scene.stack, sql, [eventId, hours]);
    };
    for (const hours of [-81, -1, 1]) {
      await moveBy(hours);
      expect(await codeOf(signing(eventId))).not.toBe('OK');
      expect(await codeOf(openEvent(eventId))).not.toBe('OK');
      await moveBy(-hours);
    }
    expect(await codeOf(signing(eventId))).toBe('OK');
  });

  it('does not after twelve attempts', async () => {
    const { eventId } = await issued();
    expect((await openEvent(eventId)).sealedSecrets).toHaveLength(1);
    for (let attempt = 2; attempt <= 12; attempt++) expect(await codeOf(signing(eventId))).toBe('OK');
    expect(await codeOf(signing(eventId))).toBe('REQUEST_STATE_NOT_ALLOWED');
    expect((await openEvent(eventId)).sealedSecrets).toEqual([]);
  });
});

describe('notifier: take any PKCS#12', () => {
  it('takes the one that an event hands over, by the grant that comes with the event', async () => {
    const { requestId, eventId, serial } = await issued();
    const { grant } = await openEvent(eventId);
    const { sealed } = await notifier.generation['bundles.release']({ grant: grant ?? '' });
    const bundle = await notifier.keyring.openText(sealed, { purpose: 'bundle', owner: requestId });
    const { file, password } = JSON.parse(bundle);
    expect((await openPkcs12(scene.folder, file, password)).leaf.serialNumber).toBe(serial);
  });

  it('does not without a grant, nor for one that it has signed or changed itself', async () => {
    const [mine, theirs] = [await issued(), await issued()];
    const { grant } = await openEvent(mine.eventId);
    const [header = '', claims = '', signature = ''] = (grant ?? '').split('.');
    const asked = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), ...fieldsOf(theirs) };
    const changed = Buffer.from(JSON.stringify(asked)).toString('base64url');
    const own = notifier.keyring.signStatement(grantType, { ...asked, iss: 'intake' });
    const none = [theirs.serial, theirs.requestId, `${header}.${changed}.${signature}`, own];
    for (const made of none) expect(await release(made)).toBe('FORBIDDEN');
    expect(await release(grant ?? '')).toBe('OK');
  });

  it('does not for what intake has granted to another service, purpose, time or certificate', async () => {
    const [mine, theirs] = [await issued(), await issued()];
    const intake = await stolenKeys(scene, 'intake');
    const iat = Math.floor(Date.now() / 1_000);
    const grant = (changed: object) =>
      intake.signStatement(grantType, {
        aud: 'generation',
        azp: 'notifier',
        purpose: 'release',
        jti: uuidv7(),
        iat,
        exp: iat + grantLifeMs / 1_000,
        ...fieldsOf(mine),
        ...changed,
      });
    expect(await release(grant({}))).toBe('OK');
    expect(await release(grant({ azp: 'gateway' }))).toBe('FORBIDDEN');
    expect(await release(grant({ aud: 'intake' }))).toBe('FORBIDDEN');
    expect(await release(grant({ purpose: 'purge' }))).toBe('FORBIDDEN');
    expect(await release(grant({ iat: iat - 301, exp: iat - 1 }))).toBe('FORBIDDEN');
    for (const changed of [
      { serial: theirs.serial },
      { requestId: theirs.requestId },
      { partnerId: uuidv7() },
    ])
      expect(await release(grant(changed))).toBe('CERTIFICATE_NOT_FOUND');
  });
});

function fieldsOf({ requestId, partnerId, serial, eventId }: Awaited<ReturnType<typeof issued>>) {
  return { requestId, partnerId, serial, occasion: `event:${eventId}` };
}
