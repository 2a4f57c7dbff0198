import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { remindSubscribers } from '../src/requests/renewal/reminders/remind-subscribers.ts';
import { arm, startProcess } from './support/intake-process.ts';
import { ownDatabase } from './support/own-database.ts';
import { certificatesOf, type Issued } from './support/reminders.ts';
import { runningIntake } from './support/running-intake.ts';

const ended: Issued[] = [];
const revoked: Issued[] = [];
const crowd: Issued[] = [];
/** By the real clock, as processes have it: the reminders of thirty days lie a day back. */
const intake = await disposeAfterAll(runningIntake({ REMINDER_SPREAD_HOURS: '0' }));
const certificates = certificatesOf(intake, () => new Date());
await certificates.setPartner({
  events: ['certificate.expiring', 'certificate.revoked'],
  holderRenewal: true,
});
const young = { days: 100 };
for (const list of [ended, ended, revoked, revoked]) list.push(await certificates.issued(young));
for (let count = 0; count < 12; count += 1) crowd.push(await certificates.issued(young));
await intake.stopService();

const due = (list: readonly Issued[]) =>
  intake.query(
    `update intake.request set not_before = now() - interval '71 days', not_after = now() + interval '29 days',
       next_reminder_at = now() - interval '1 day' where id = any($1)`,
    [list.map(({ requestId }) => requestId)],
  );

interface Killing {
  readonly begin: () => Promise<unknown>;
  readonly again?: () => Promise<unknown>;
  readonly isDone: () => Promise<boolean>;
}

/** Dies at the point, and another takes its place. */
async function killedAt(point: string, { begin, again = async () => {}, isDone }: Killing): Promise<void> {
  const { env } = intake.ground;
  await arm(env, point);
  {
    await using first = startProcess(env);
    await begin();
    const [, signal] = await first.ended;
    expect(signal).toBe('SIGKILL');
  }
  await using _second = startProcess(env);
  // Generation's relay says some things twice; here it saves the wait for what the dead one had not acknowledged.
  await again();
  await pollFor(isDone, { what: `the end of the work after ${point}` });
}

const countsOf = async ({ requestId }: Issued) => ({
  mails: (await certificates.mailsOf(requestId)).length,
  events: (await certificates.eventsOf(requestId)).length,
  links: (await intake.query('select from intake.renewal_link where request_id = $1', [requestId])).length,
  jobs: await certificates.jobsOf(requestId),
});

describe('killed', () => {
  it.each([
    ['before the reminder is written', crashPoints.beforeReminders, 0],
    ['after the reminder is written', crashPoints.afterReminders, 1],
  ])('%s, one mail, one event and one link are there in the end', async (_when, point, index) => {
    const certificate = ended[index] as Issued;
    const isDone = async () => (await countsOf(certificate)).mails > 0;
    await killedAt(point, { begin: () => due([certificate]), isDone });
    expect(await countsOf(certificate)).toEqual({
      ...{ mails: 1, events: 1, links: 1 },
      jobs: { mails: 1, webhooks: 1 },
    });
  });

  it.each([
    ['before a revocation is noted', crashPoints.beforeRevocation, 0],
    ['after a revocation is noted', crashPoints.afterRevocation, 1],
  ])('%s, its partner hears of it once', async (_when, point, index) => {
    const certificate = revoked[index] as Issued;
    const isDone = async () => {
      const sql = `select 1 from intake.outbox where payload ->> 'type' = 'certificate.revoked'
        and payload ->> 'eventId' = $1 and published_at is not null`;
      const [event] = await certificates.eventsOf(certificate.requestId);
      return event !== undefined && (await intake.query(sql, [event.id])).length > 0;
    };
    const revoke = () => certificates.tellStatus(certificate.requestId, 'REVOKED', 2);
    await killedAt(point, { begin: revoke, again: revoke, isDone });
    expect(await countsOf(certificate)).toMatchObject({ events: 1, jobs: { webhooks: 1 } });
  });
});

it('of many that are due at once all copies together send no more than the rate', async () => {
  const own = await ownDatabase(intake.ground);
  await using copies = new AsyncDisposableStack();
  copies.defer(() => own.database.close());
  const deps = {
    ...{ ...own, clock: () => new Date(), newId: () => crypto.randomUUID() },
    rules: { reminders: { spreadHours: 0, perSecond: 4 } },
  };
  await due(crowd);
  const [began] = await intake.query<{ at: string }>(
    'update intake.reminder_pace set spent_until = now() returning spent_until::text as at',
  );
  const shares: number[] = [];
  while (shares.reduce((sum, one) => sum + one, 0) < crowd.length)
    shares.push(...(await Promise.all([remindSubscribers(deps), remindSubscribers(deps)])));
  const [row] = await intake.query<{ seconds: number }>(
    'select extract(epoch from spent_until - $1::timestamptz)::float8 as seconds from intake.reminder_pace',
    [began?.at],
  );
  expect(crowd.length).toBeLessThanOrEqual(Math.ceil((row?.seconds ?? 0) * 4));
  for (const one of crowd) expect((await countsOf(one)).mails).toBe(1);
});
