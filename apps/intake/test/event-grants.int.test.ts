import { createHash } from 'node:crypto';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import {
  asPartner,
  callTokenOf,
  makeRegistration,
  partnerIds,
  runningIntake,
} from './support/running-intake.ts';

let aheadMs = 0;
const intake = await disposeAfterAll(runningIntake({}, { clock: () => new Date(Date.now() + aheadMs) }));

const serial = 'ABCDEF0123456789';

/** A certificate is issued, and there is an event to deliver. */
async function issued() {
  const input = makeRegistration();
  const { requestId } = input;
  const { requests } = intake.client(asPartner('sandbox'));
  await requests.register.mutate(input);
  const is = (status: string) =>
    pollFor(async () => (await requests.status.query({ family: 'TV', requestId })).status === status, {
      what: status,
    });
  await is('GENERATING');
  await intake.tell('events.certificate.issued', {
    requestId,
    attempt: 1,
    certificateId: uuidv7(),
    serialNumber: serial,
    notBefore: '2026-11-21T00:00:00.000Z',
    notAfter: '2027-11-20T23:59:59.000Z',
    cappedBy: null,
    truncated: [],
  });
  await is('GENERATED');
  const [event] = await intake.query<{ id: string }>(
    "select id from intake.webhook_event where request_id = $1 and type = 'certificate.issued'",
    [requestId],
  );
  return { requestId, eventId: event?.id ?? '' };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** As generation reads a grant. */
async function claimsIn(grant: string | null) {
  const { keyring } = await intake.ground.peer('generation');
  const asked = { type: 'rubrica-grant+jwt', issuer: 'intake' };
  return keyring.verifyStatement(grant ?? '', asked).claims;
}

describe('an event that hands over a certificate', () => {
  it('comes with the grant to have its bundle released, to the notifier, for minutes', async () => {
    const { requestId, eventId } = await issued();
    const { events } = await intake.peer('notifier');
    const { grant } = await events.get.query({ eventId });
    const claims = await claimsIn(grant);
    expect(claims).toEqual({
      iss: 'intake',
      aud: 'generation',
      azp: 'notifier',
      purpose: 'release',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
      requestId,
      partnerId: partnerIds.sandbox,
      serial,
      occasion: `event:${eventId}`,
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
    const again = await claimsIn((await events.get.query({ eventId })).grant);
    expect(again.jti).not.toBe(claims.jti);
  });

  it('has no more of them once it is over, when its bundle may be purged, and that as often as it is asked', async () => {
    const { eventId } = await issued();
    const { events } = await intake.peer('notifier');
    for (let times = 0; times < 2; times++) {
      const claims = await claimsIn((await events.end.mutate({ eventIds: [eventId] })).grant);
      expect(claims).toMatchObject({ azp: 'notifier', purpose: 'purge', serials: [serial] });
      expect((await events.get.query({ eventId })).grant).toBeNull();
    }
    expect(await events.end.mutate({ eventIds: [uuidv7()] })).toEqual({ grant: null });
  });
});

describe('where an event may be sent', () => {
  it('is signed for the notifier with its secrets, for minutes, with the event and for each further attempt', async () => {
    const { eventId } = await issued();
    const { events } = await intake.peer('notifier');
    const event = await events.get.query({ eventId });
    const further = await events.signing.mutate({ eventId });
    // Once another was asked for, the event comes with no secrets, and so it is signed.
    const later = await events.get.query({ eventId });
    expect(later.sealedSecrets).toEqual([]);
    const { keyring } = await intake.ground.peer('notifier');
    for (const { statement, sealedSecrets } of [event, further, later]) {
      const asked = { type: 'rubrica-delivery+jwt', issuer: 'intake' };
      const { claims } = keyring.verifyStatement(statement ?? '', asked);
      expect(claims).toEqual({
        iss: 'intake',
        aud: 'notifier',
        sub: eventId,
        partnerId: partnerIds.sandbox,
        destinationSha256: sha256(event.url),
        secretsSha256: sha256(JSON.stringify(sealedSecrets)),
        iat: expect.any(Number),
        exp: expect.any(Number),
      });
      expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
      expect(Math.abs(Number(claims.iat) - (Date.now() + aheadMs) / 1_000)).toBeLessThan(30);
    }
  });
});

const fault = (appCode: string) => ({ data: { appCode } });

describe('with the keys and the bus user of the notifier, the webhook secrets', () => {
  const refused = fault('REQUEST_STATE_NOT_ALLOWED');

  it('of a partner are not given where there is no event that is open', async () => {
    const { events, partners } = await intake.peer('notifier');
    await expect(events.signing.mutate({ eventId: uuidv7() })).rejects.toMatchObject(refused);
    await expect(events.signing.mutate({ eventId: partnerIds.sandbox })).rejects.toMatchObject(refused);
    const partnerId = partnerIds.other;
    const own = await callTokenOf(intake, 'reviewer', { signer: 'notifier' });
    for (const operatorToken of [own, 'made up']) {
      const call = partners.signing.mutate({ partnerId, operatorToken });
      await expect(call).rejects.toMatchObject(fault('UNAUTHENTICATED'));
    }
    const operatorToken = await callTokenOf(intake, 'viewer');
    await expect(partners.signing.mutate({ partnerId, operatorToken })).rejects.toMatchObject(
      fault('FORBIDDEN'),
    );
    await expect(partners.signing.mutate({ partnerId } as never)).rejects.toMatchObject(
      fault('FIELD_INVALID'),
    );
  });

  it('are given for twelve attempts of an event, the first as often as it is asked for', async () => {
    const { eventId } = await issued();
    const { events } = await intake.peer('notifier');
    for (let times = 0; times < 2; times++) {
      expect((await events.get.query({ eventId })).sealedSecrets).toHaveLength(1);
    }
    for (let attempt = 2; attempt <= 12; attempt++) {
      expect((await events.signing.mutate({ eventId })).sealedSecrets).toHaveLength(1);
      expect((await events.get.query({ eventId })).sealedSecrets).toEqual([]);
    }
    await expect(events.signing.mutate({ eventId })).rejects.toMatchObject(refused);
  });

  it('are given for 80 hours, then on the word of an operator alone, and not once the event is over', async () => {
    const { eventId } = await issued();
    const { events } = await intake.peer('notifier');
    aheadMs += 80 * HOUR_MS - 60_000;
    expect((await events.signing.mutate({ eventId })).sealedSecrets).toHaveLength(1);
    aheadMs += 120_000;
    await expect(events.signing.mutate({ eventId })).rejects.toMatchObject(refused);
    expect((await events.get.query({ eventId })).sealedSecrets).toEqual([]);

    const again = { partnerId: partnerIds.sandbox, eventIds: [eventId] };
    const own = { ...again, operatorToken: await callTokenOf(intake, 'reviewer', { signer: 'notifier' }) };
    await expect(events.reopen.mutate(own)).rejects.toMatchObject(fault('UNAUTHENTICATED'));
    const asViewer = { ...again, operatorToken: await callTokenOf(intake, 'viewer') };
    await expect(events.reopen.mutate(asViewer)).rejects.toMatchObject(fault('FORBIDDEN'));
    const operatorToken = await callTokenOf(intake, 'reviewer');
    const others = { ...again, partnerId: partnerIds.other, operatorToken };
    expect(await events.reopen.mutate(others)).toEqual({ count: 0 });
    await expect(events.signing.mutate({ eventId })).rejects.toMatchObject(refused);

    expect(await events.reopen.mutate({ ...again, operatorToken })).toEqual({ count: 1 });
    expect((await events.signing.mutate({ eventId })).sealedSecrets).toHaveLength(1);
    const sql =
      "select actor, target from intake.audit where action = 'events.reopen' order by id desc limit 1";
    expect(await intake.query(sql)).toEqual([
      { actor: 'operator:reviewer@example.com', target: `partner:${partnerIds.sandbox}` },
    ]);
    await events.end.mutate({ eventIds: [eventId] });
    await expect(events.signing.mutate({ eventId })).rejects.toMatchObject(refused);
    expect(await events.reopen.mutate({ ...again, operatorToken })).toEqual({ count: 0 });
  });
});
