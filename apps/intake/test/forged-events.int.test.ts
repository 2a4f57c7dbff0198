import { createDatabase } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { fault } from './support/claims.ts';
import { renewalGround } from './support/own-renewals.ts';
import { asOperator, makeRegistration } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with the rights of intake's role in the database, while intake runs. */
const ground = await disposeAfterAll(renewalGround());
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);

async function issued() {
  const { requestId, sealedToken } = await ground.reminded();
  const [event] = await ground.intake.query<{ id: string }>(
    `select id from intake.webhook_event where request_id = $1 and type = 'certificate.issued'`,
    [requestId],
  );
  return { requestId, sealedToken, eventId: event?.id ?? '' };
}
async function isAlarmed(name: string): Promise<boolean> {
  const { warnings } = await ground.intake.operators(asOperator('admin')).overview.query();
  return warnings.some(({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === name);
}
/** One more renewing step: the row is older than its timeline, as one that was put back is. */
const putBackOlder = (requestId: string) =>
  attacker.execute(
    `insert into timeline (request_id, at, trigger, status, validation_status, actor)
     values ($1, now(), 'validateAgain', 'GENERATED', 'COMPLETED', 'service:intake') returning 1`,
    [requestId],
  );
const unavailable = fault('SERVICE_UNAVAILABLE');

describe('an event that intake has not written', () => {
  it('is neither told nor signed, and raises the alarm', async () => {
    const { requestId } = await issued();
    const eventId = uuidv7();
    await attacker.execute(
      `insert into webhook_event (id, request_id, type, message, code, occurred_at)
       values ($1, $2, 'request.refused', 'The applicant is wanted', 'APPLICANT_DISPUTED', now())`,
      [eventId, requestId],
    );
    const { events } = await ground.intake.peer('notifier');
    await expect(events.get.query({ eventId })).rejects.toMatchObject(unavailable);
    await expect(events.signing.mutate({ eventId })).rejects.toMatchObject(unavailable);
    expect(await isAlarmed(`webhook_event:${eventId}`)).toBe(true);
  });

  it.each([
    ['type', `type = 'certificate.revoked'`],
    ['text', `message = 'Pay first'`],
    ['code', `code = 'APPLICANT_DISPUTED'`],
    ['days', 'days_left = 3'],
    ['time', `occurred_at = occurred_at - interval '1 hour'`],
  ])('in its %s is not told', async (_, set) => {
    const { eventId } = await issued();
    const { events } = await ground.intake.peer('notifier');
    expect((await events.get.query({ eventId })).type).toBe('certificate.issued');
    await attacker.execute(`update webhook_event set ${set} where id = $1`, [eventId]);
    await expect(events.get.query({ eventId })).rejects.toMatchObject(unavailable);
  });

  it('for its request gives nobody the grant to purge the bundle of another', async () => {
    const [own, other] = [await issued(), await issued()];
    const { events } = await ground.intake.peer('notifier');
    await attacker.execute('update webhook_event set request_id = $2 where id = $1', [
      own.eventId,
      other.requestId,
    ]);
    expect(await events.end.mutate({ eventIds: [own.eventId] })).toEqual({ grant: null });
  });

  it('names the request beside the serial number that the grant to purge has', async () => {
    const [own, other] = [await issued(), await issued()];
    await attacker.execute('update request set serial_number = lower($2) where id = $1', [
      own.requestId,
      ground.serialOf(other.requestId),
    ]);
    const { events } = await ground.intake.peer('notifier');
    const { grant } = await events.end.mutate({ eventIds: [own.eventId] });
    const claims = JSON.parse(Buffer.from(grant?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.requestIds).toEqual([own.requestId]);
  });
});

describe('an event of the release before', () => {
  const forget = (eventId: string) =>
    attacker.execute('update webhook_event set mac = null where id = $1', [eventId]);
  const upgrade = (set: string) => ground.intake.query(`update intake.data_upgrade set ${set}`);

  it('is told as the upgrade found it, and no other of its request', async () => {
    const { eventId } = await issued();
    await forget(eventId);
    const { events } = await ground.intake.peer('notifier');
    await expect(events.get.query({ eventId })).rejects.toMatchObject(unavailable);
    await upgrade(`timeline_id = (select max(id) from intake.timeline)`);
    await expect(events.get.query({ eventId })).rejects.toMatchObject(unavailable);
    const note = `insert into event_at_upgrade (event_id, digest)
      select id, intake.digest_event(webhook_event) from intake.webhook_event where id = $1`;
    await expect(attacker.execute(note, [eventId])).rejects.toThrow('permission denied');
    await ground.intake.query(note.replace('event_at', 'intake.event_at'), [eventId]);
    expect(await events.get.query({ eventId })).toMatchObject({ eventId });
    const copied = '01900000-0000-7000-8000-00000000e001';
    await attacker.execute(
      `insert into webhook_event (id, request_id, type, message, occurred_at)
       select $2, request_id, type, message, occurred_at from webhook_event where id = $1`,
      [eventId, copied],
    );
    await expect(events.get.query({ eventId: copied })).rejects.toMatchObject(unavailable);
    await attacker.execute(`update webhook_event set message = 'another' where id = $1`, [eventId]);
    await expect(events.get.query({ eventId })).rejects.toMatchObject(unavailable);
  });

  it('is told while copies of that release run', async () => {
    const { eventId } = await issued();
    await forget(eventId);
    const { events } = await ground.intake.peer('notifier');
    await upgrade(`mixed_until = now() + interval '1 hour'`);
    expect(await events.get.query({ eventId })).toMatchObject({ eventId });
    await upgrade('mixed_until = now()');
    await expect(events.get.query({ eventId })).rejects.toMatchObject(unavailable);
  });
});

describe('an older row of a request, put back for a moment', () => {
  it('has no event told or signed, and its file is not retrieved', async () => {
    const { requestId, eventId } = await issued();
    await putBackOlder(requestId);
    const { events } = await ground.intake.peer('notifier');
    await expect(events.get.query({ eventId })).rejects.toMatchObject(unavailable);
    await expect(events.signing.mutate({ eventId })).rejects.toMatchObject(unavailable);
    await attacker.execute(`update request set retrieval_until = now() + interval '1 hour' where id = $1`, [
      requestId,
    ]);
    await expect(
      ground.client.requests.openRetrieval.mutate({ family: 'TV', requestId }),
    ).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    expect(await isAlarmed(`request:${requestId}`)).toBe(true);
  });

  it('has no link mailed to its former address', async () => {
    const input = makeRegistration({}, { sealedPassword: undefined });
    const { requestId } = input;
    await ground.otp.register.mutate(input);
    await pollFor(
      async () => (await ground.otp.status.query({ family: 'TV', requestId })).status === 'APPROVED',
    );
    const [message] = await ground.intake.query<{ id: string }>(
      `select id from intake.message where request_id = $1 and template = 'claim'`,
      [requestId],
    );
    const messageId = message?.id ?? '';
    const peer = await ground.intake.peer('notifier');
    expect(await peer.messages.get.query({ messageId })).toMatchObject({ requestId });
    await putBackOlder(requestId);
    await expect(peer.messages.get.query({ messageId })).rejects.toMatchObject(unavailable);
  });
});
