import { DAY_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { remindSubscribers } from '../src/requests/renewal/reminders/remind-subscribers.ts';
import { ownDatabase } from './support/own-database.ts';
import { reminderGround } from './support/reminders.ts';
import { asPartner, makeRegistration } from './support/running-intake.ts';

const ground = await disposeAfterAll(reminderGround({ REMINDERS_PER_SECOND: '10000' }));
const own = await ownDatabase(ground.intake.ground);
const copy: Parameters<typeof remindSubscribers>[0] & AsyncDisposable = await disposeAfterAll({
  ...{ ...own, clock: ground.clock, newId: () => crypto.randomUUID() },
  rules: { reminders: { spreadHours: 0, perSecond: 10_000 } },
  [Symbol.asyncDispose]: () => own.database.close(),
});

afterEach(() => ground.setPartner());

/** Two more copies beside the service, at once. */
async function looked(requestId: string): Promise<void> {
  await Promise.all([remindSubscribers(copy), remindSubscribers(copy)]);
  await ground.settled(requestId);
}

/** So many days before the end, and a minute. */
async function before(certificate: { notAfter: Date; requestId: string }, days: number): Promise<void> {
  const at = certificate.notAfter.getTime() - days * DAY_MS + MINUTE_MS;
  ground.pass(at - ground.clock().getTime());
  await looked(certificate.requestId);
}

const templatesOf = async (requestId: string) =>
  (await ground.mailsOf(requestId)).map(({ template }) => template);
const toldOf = async (requestId: string) =>
  (await ground.eventsOf(requestId)).map(({ type, daysLeft }) => [type, daysLeft]);

describe('the end of a certificate', () => {
  it('is brought to mind four times, and told to the partner twice, each once however many copies look', async () => {
    await ground.setPartner({ events: ['certificate.expiring'] });
    const certificate = await ground.issued({ days: 90 });
    const { requestId } = certificate;
    const seen: unknown[] = [];
    for (const days of [31, 30, 29, 16, 15, 6, 5, 2, 1, 0.5, -1]) {
      await before(certificate, days);
      seen.push([days, (await ground.mailsOf(requestId)).length, (await ground.eventsOf(requestId)).length]);
    }
    expect(seen).toEqual([
      [31, 0, 0],
      [30, 1, 1],
      [29, 1, 1],
      [16, 1, 1],
      [15, 2, 1],
      [6, 2, 1],
      [5, 3, 2],
      [2, 3, 2],
      [1, 4, 2],
      [0.5, 4, 2],
      [-1, 4, 2],
    ]);
    expect(await toldOf(requestId)).toEqual([
      ['certificate.expiring', 30],
      ['certificate.expiring', 5],
    ]);
    expect(await ground.jobsOf(requestId)).toEqual({ mails: 4, webhooks: 2 });
    const timeline = await ground.timelineOf(requestId);
    expect(timeline.filter((one) => one === 'remindSubscriber')).toHaveLength(4);
  });

  it('is told with whose certificate it is, which, and until when', async () => {
    const certificate = await ground.issued({ days: 31 });
    await before(certificate, 15);
    const message = await ground.messageOf(certificate.requestId, 'end-reminder');
    expect(message).toMatchObject({
      ...{ channel: 'email', to: 'jane@mail.com', language: 'es', partnerName: 'Partner sandbox' },
      ...{ expiresAt: certificate.notAfter.toISOString(), sealedSecret: null },
      certificate: {
        subscriberName: 'María José Ñúñez Pazmiño',
        serialNumber: certificate.serialNumber,
        daysLeft: 15,
      },
    });
    await before(certificate, -1);
    expect(await ground.messageOf(certificate.requestId, 'end-reminder')).toMatchObject({ expiresAt: null });
  });

  it('after a standstill is brought to mind by the latest alone, and not once it has passed', async () => {
    await ground.setPartner({ events: ['certificate.expiring'] });
    const [one, other] = [await ground.issued({ days: 90 }), await ground.issued({ days: 60 })];
    await before(one, 10);
    await ground.settled(other.requestId);
    expect(await templatesOf(one.requestId)).toEqual(['end-reminder']);
    expect(await toldOf(one.requestId)).toEqual([['certificate.expiring', 10]]);
    expect([await templatesOf(other.requestId), await toldOf(other.requestId)]).toEqual([[], []]);
  });

  it('is not brought to mind after a revocation, nor of one that was on hold just then', async () => {
    await ground.setPartner({ events: ['certificate.expiring'] });
    const [revoked, held] = [await ground.issued({ days: 60 }), await ground.issued({ days: 60 })];
    await ground.becomes(revoked.requestId, 'REVOKED', 2);
    await ground.becomes(held.requestId, 'HELD', 2);
    await before(held, 30);
    await ground.settled(revoked.requestId);
    await ground.becomes(held.requestId, 'VALID', 3);
    await before(held, 20);
    expect(await templatesOf(held.requestId)).toEqual([]);
    await before(held, 15);
    expect(await templatesOf(held.requestId)).toEqual(['end-reminder']);
    await before(held, 5);
    await ground.settled(revoked.requestId);
    expect(await templatesOf(revoked.requestId)).toEqual([]);
    expect(await toldOf(held.requestId)).toEqual([['certificate.expiring', 5]]);
    expect(await toldOf(revoked.requestId)).toEqual([]);
  });

  it('is brought to mind while a renewal is open, and no more once that was issued', async () => {
    const certificate = await ground.issued({ days: 60 });
    const renewal = makeRegistration();
    await ground.intake.client(asPartner('sandbox')).requests.register.mutate(renewal);
    await ground.intake.query('update intake.request set renewal_of = $2 where id = $1', [
      renewal.requestId,
      certificate.requestId,
    ]);
    await before(certificate, 30);
    expect(await templatesOf(certificate.requestId)).toHaveLength(1);
    await ground.issue(renewal.requestId);
    expect(await ground.messageOf(certificate.requestId, 'end-reminder')).toMatchObject({ expiresAt: null });
    await before(certificate, 15);
    expect(await templatesOf(certificate.requestId)).toHaveLength(1);
    // Its certificate was revoked: the former is the only one again.
    await ground.becomes(renewal.requestId, 'REVOKED', 2);
    await before(certificate, 5);
    expect(await templatesOf(certificate.requestId)).toHaveLength(2);
  });

  it('is brought to mind for the types that the partner names, and told to it apart from that', async () => {
    await ground.setPartner({
      events: ['certificate.expiring'],
      holderReminders: ['TRANSACTIONAL_SIGNATURE'],
    });
    const traditional = await ground.issued({ days: 40 });
    await before(traditional, 5);
    expect(await templatesOf(traditional.requestId)).toEqual([]);
    expect(await toldOf(traditional.requestId)).toEqual([['certificate.expiring', 5]]);
    const silent = await ground.issued({ days: 40, fields: { callbackUrl: undefined } });
    await before(silent, 5);
    expect(await toldOf(silent.requestId)).toEqual([]);
  });
});

describe('the link of a reminder', () => {
  const linksOf = (requestId: string) =>
    ground.intake.query<{ sha256: string; expiresAt: Date }>(
      'select token_sha256 as sha256, expires_at as "expiresAt" from intake.renewal_link where request_id = $1',
      [requestId],
    );

  it('is made with the first that carries one, and the others carry the same', async () => {
    const certificate = await ground.issued({ days: 90 });
    const { requestId } = certificate;
    await before(certificate, 30);
    await ground.setPartner({ holderRenewal: true });
    for (const days of [15, 5, 1]) await before(certificate, days);
    const [plain, ...linked] = await ground.mailsOf(requestId);
    expect([plain?.template, plain?.sealed]).toEqual(['end-reminder', null]);
    expect(linked.map(({ template }) => template)).toEqual(Array(3).fill('renewal-reminder'));
    expect(new Set(linked.map(({ sealed }) => sealed)).size).toBe(1);
    const token = await ground.secretOf(requestId, 'renewal-reminder');
    const [link, ...more] = await linksOf(requestId);
    expect([link?.sha256, more]).toEqual([ground.sha256(token), []]);
    expect(new Date(link?.expiresAt ?? 0).getTime()).toBe(certificate.notAfter.getTime() + 90 * DAY_MS);
  });

  it('is destroyed when the time to renew is over', async () => {
    await ground.setPartner({ holderRenewal: true });
    const certificate = await ground.issued({ days: 40 });
    await before(certificate, 1);
    await before(certificate, -59);
    await ground.sweep();
    const sealed = async () => (await ground.mailsOf(certificate.requestId)).map((mail) => mail.sealed);
    expect(await sealed()).toEqual([expect.any(String)]);
    await before(certificate, -61);
    await ground.sweep();
    expect(await sealed()).toEqual([null]);
  });
});

it('a certificate of a release that knew no reminders gets what is still to come', async () => {
  const certificate = await ground.issued({ days: 60 });
  const { requestId } = certificate;
  const forget = () =>
    ground.intake.query('update intake.request set next_reminder_at = null where id = $1', [requestId]);
  await forget();
  ground.pass(certificate.notAfter.getTime() - 20 * DAY_MS - ground.clock().getTime());
  await ground.sweep();
  await looked(requestId);
  expect(await templatesOf(requestId)).toEqual([]);
  await before(certificate, 15);
  expect(await templatesOf(requestId)).toEqual(['end-reminder']);
});
