import { uuidv7 } from '@rubrica/process';
import { pollFor } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  asPartner,
  makeRegistration,
  partnerIds,
  type RunningIntake,
  runningIntake,
} from './support/running-intake.ts';

let intake: RunningIntake;
beforeAll(async () => {
  intake = await runningIntake();
});
afterAll(() => intake?.[Symbol.asyncDispose]());

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
