import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { makeAuthentic } from './support/authentic-row.ts';
import { reminderGround } from './support/reminders.ts';

const ground = await disposeAfterAll(reminderGround());

afterEach(() => ground.setPartner());

const eventOf = async (requestId: string) => {
  const [event] = await ground.eventsOf(requestId);
  const notifier = await ground.intake.peer('notifier');
  return notifier.events.get.query({ eventId: event?.id ?? '' });
};

describe('a certificate that is revoked', () => {
  it('is told to the partner once, with the reason, and neither its hold nor its release', async () => {
    await ground.setPartner({ events: ['certificate.revoked'] });
    const { requestId, referenceTransaction, serialNumber, notAfter } = await ground.issued();
    await ground.becomes(requestId, 'HELD', 2);
    await ground.becomes(requestId, 'VALID', 3);
    await ground.becomes(requestId, 'HELD', 4);
    expect(await ground.eventsOf(requestId)).toEqual([]);
    await ground.becomes(requestId, 'REVOKED', 5);
    await ground.becomes(requestId, 'REVOKED', 5);
    await ground.becomes(requestId, 'HELD', 4);
    expect((await ground.eventsOf(requestId)).map(({ type }) => type)).toEqual(['certificate.revoked']);
    expect(await ground.jobsOf(requestId)).toEqual({ mails: 0, webhooks: 1 });
    expect(await eventOf(requestId)).toMatchObject({
      ...{ type: 'certificate.revoked', referenceTransaction, renewalOf: null, grant: null },
      certificate: {
        ...{ serialNumber, notAfter: notAfter.toISOString(), daysLeft: null },
        ...{ revocationReason: 'keyCompromise', revokedAt: expect.any(String) },
      },
    });
  });

  it('is told with the reference of the request that its own renewed', async () => {
    await ground.setPartner({ events: ['certificate.revoked'] });
    const [former, renewal] = [await ground.issued(), await ground.issued()];
    await ground.intake.query('update intake.request set renewal_of = $2 where id = $1', [
      renewal.requestId,
      former.requestId,
    ]);
    await makeAuthentic(ground.intake.ground, renewal.requestId);
    await ground.becomes(renewal.requestId, 'REVOKED', 2);
    expect((await eventOf(renewal.requestId)).renewalOf).toBe(former.referenceTransaction);
  });

  it('is told where the word of the revocation came before that of its reason', async () => {
    await ground.setPartner({ events: ['certificate.revoked'] });
    const { requestId } = await ground.issued();
    await ground.intake.query(
      `update intake.request set certificate_status = 'REVOKED', certificate_version = 2 where id = $1`,
      [requestId],
    );
    await ground.becomes(requestId, 'REVOKED', 2);
    const told = async () => (await ground.eventsOf(requestId)).length === 1;
    await pollFor(told, { what: 'the event' });
  });

  it('is told to nobody where the partner did not ask for it, or has no address', async () => {
    const unasked = await ground.issued();
    await ground.becomes(unasked.requestId, 'REVOKED', 2);
    await ground.setPartner({ events: ['certificate.expiring', 'certificate.revoked'] });
    const silent = await ground.issued({ fields: { callbackUrl: undefined } });
    await ground.becomes(silent.requestId, 'REVOKED', 2);
    expect(await ground.eventsOf(unasked.requestId)).toEqual([]);
    expect(await ground.eventsOf(silent.requestId)).toEqual([]);
  });
});
