import { createSweeper } from '@rubrica/database/sweeper';
import { describe, expect, it } from 'vitest';
import { createNoticeQueue, type NoticeQueueDeps } from '../src/destination-notices/notice-queue.ts';
import { stopDeliveries } from '../src/destinations/stop-deliveries.ts';
import { createSmtpTransport } from '../src/mail/smtp.ts';
import { silentLogger } from './support/database.ts';
import { broken, callAs, receive, settled, working } from './support/destinations.ts';
import { notifierGround } from './support/ground.ts';
import { type NotifierUnderTest, partnerId } from './support/notifier.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { startSmtpServer } from './support/smtp-server.ts';

const { start } = notifierGround();

const endpoints = (notifier: NotifierUnderTest) => notifier.database.execute('select * from endpoint');
const kinds = async (notifier: NotifierUnderTest) => {
  const rows = await notifier.database.execute<{ kind: string }>('select kind from notice order by kind');
  return rows.map(({ kind }) => kind);
};
/** As though all that is known had happened so many hours ago; the last failure is an hour old. */
const age = (notifier: NotifierUnderTest, hours: number, lastFailedHoursAgo = 1) =>
  notifier.database.execute(
    `update endpoint set failing_since = failing_since - $1::int * interval '1 hour',
       counted_from = counted_from - $1::int * interval '1 hour',
       last_failed_at = now() - $2::int * interval '1 hour'`,
    [hours, lastFailedHoursAgo],
  );

const sweep = (notifier: NotifierUnderTest) =>
  createSweeper({ database: notifier.database, tasks: [stopDeliveries], logger: silentLogger }).sweep();

/** A destination that has been disabled, with one delivery exhausted on the way. */
async function disabled(notifier: NotifierUnderTest, receiver: Receiver) {
  receiver.answer = broken;
  const first = await settled(notifier, await receive(notifier, receiver.url));
  await age(notifier, 121);
  const second = await settled(notifier, await receive(notifier, receiver.url));
  await expect.poll(async () => (await endpoints(notifier))[0]?.state).toBe('DISABLED');
  return [first, second] as const;
}

describe('a destination that only fails', () => {
  it('has no row while it works, one while it fails, and none after a success', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver(working);
    await settled(notifier, await receive(notifier, receiver.url));
    expect(await endpoints(notifier)).toEqual([]);
    receiver.answer = broken;
    await settled(notifier, await receive(notifier, receiver.url));
    expect(await endpoints(notifier)).toMatchObject([
      { partner_id: partnerId, destination: new URL(receiver.url).origin, state: 'FAILING' },
    ]);
    receiver.answer = working;
    await settled(notifier, await receive(notifier, receiver.url));
    expect(await endpoints(notifier)).toEqual([]);
    expect(await kinds(notifier)).toEqual([]);
  });

  it('is disabled after five days without a success, and partner and operator are told once', async () => {
    const told: unknown[] = [];
    await using notifier = await start({ onDisabled: (destination) => told.push(destination) });
    await using receiver = await startReceiver();
    await disabled(notifier, receiver);
    expect(await kinds(notifier)).toEqual(['operator-alert', 'webhook-disabled']);
    expect(told).toMatchObject([{ partnerId, destination: new URL(receiver.url).origin }]);
  });

  it('is not disabled a moment before', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver(broken);
    await settled(notifier, await receive(notifier, receiver.url));
    await age(notifier, 119);
    await settled(notifier, await receive(notifier, receiver.url));
    expect(await endpoints(notifier)).toMatchObject([{ state: 'FAILING' }]);
  });

  it('is not disabled when it was not called for days in between', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver(broken);
    await settled(notifier, await receive(notifier, receiver.url));
    await age(notifier, 1_000, 49);
    await settled(notifier, await receive(notifier, receiver.url));
    expect(await endpoints(notifier)).toMatchObject([{ state: 'FAILING' }]);
  });

  it('takes nothing from another partner with the same host', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    await disabled(notifier, receiver);
    receiver.answer = working;
    const other = '019aa1b2-0000-7000-8000-0000000000cc';
    const id = await settled(notifier, await receive(notifier, receiver.url, { partnerId: other }));
    expect((await notifier.delivery(id)).state).toBe('DELIVERED');
  });
});

describe('a disabled destination', () => {
  it('is not called: what waited is stopped, what comes is stored, both visibly', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    await disabled(notifier, receiver);
    const [waiting] = await notifier.database.execute<{ id: string }>(
      `update delivery set state = 'PENDING', due_at = now() + interval '1 hour' where id =
         (select id from delivery limit 1) returning id`,
    );
    await sweep(notifier);
    const calls = receiver.calls.length;
    const came = await receive(notifier, receiver.url);
    for (const id of [waiting?.id ?? '', came]) {
      expect(await notifier.delivery(id)).toMatchObject({
        state: 'STOPPED',
        due_at: null,
        last_error: 'the destination is disabled after days of failures; an operator can enable it',
      });
    }
    expect(notifier.deliveries.inHand()).toBe(0);
    expect(receiver.calls.length).toBe(calls);
  });

  it('is enabled by an operator, recovers what was missed, and the partner is told when it works', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const [first, second] = await disabled(notifier, receiver);
    const missed = await receive(notifier, receiver.url);
    receiver.answer = working;
    const api = callAs(notifier);
    const range = { partnerId, from: '2026-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
    expect(await api.deliveries.recover(range)).toEqual({ count: 0, complete: true });
    expect((await api.deliveries.destinations({ state: 'DISABLED' })).items).toMatchObject([{ partnerId }]);
    expect(
      await api.deliveries.enableDestination({ partnerId, url: receiver.url, reason: 'repaired' }),
    ).toMatchObject({
      state: 'TRIAL',
      disabledAt: null,
    });
    receiver.calls.length = 0;
    expect(await api.deliveries.recover({ ...range, reason: 'they asked' })).toEqual({
      count: 3,
      complete: true,
    });
    for (const id of [first, second, missed]) {
      await settled(notifier, id);
      expect((await notifier.delivery(id)).state).toBe('DELIVERED');
    }
    expect(receiver.calls.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
      [first, second, missed].toSorted(),
    );
    expect(await endpoints(notifier)).toEqual([]);
    expect(await kinds(notifier)).toEqual(['operator-alert', 'webhook-disabled', 'webhook-recovered']);
    const actions = await notifier.database.execute(
      `select action, reason, details from audit where action <> 'audit.start' order by id`,
    );
    expect(actions).toMatchObject([
      { action: 'deliveries.recover', details: { count: 0 } },
      { action: 'deliveries.enableDestination', reason: 'repaired' },
      { action: 'deliveries.recover', reason: 'they asked', details: { count: 3 } },
    ]);
  });

  it('is enabled by a ping that it takes', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    await disabled(notifier, receiver);
    const ping = () => callAs(notifier).deliveries.ping({ partnerId, url: receiver.url });
    expect(await ping()).toMatchObject({ acknowledged: false, outcome: 'REFUSED', status: 500 });
    expect(await endpoints(notifier)).toMatchObject([{ state: 'DISABLED' }]);
    receiver.answer = working;
    expect(await ping()).toMatchObject({ acknowledged: true, status: 200, error: null });
    expect(await endpoints(notifier)).toEqual([]);
    expect(await kinds(notifier)).toContain('webhook-recovered');
  });

  it('cannot be enabled where none is', async () => {
    await using notifier = await start();
    const call = callAs(notifier).deliveries.enableDestination({ partnerId, url: 'https://nobody.example/' });
    await expect(call).rejects.toMatchObject({ cause: { code: 'REQUEST_NOT_FOUND' } });
  });
});

describe('notices', () => {
  const startNotices = (
    notifier: NotifierUnderTest,
    { smtpUrl, ...overrides }: Partial<NoticeQueueDeps> & { smtpUrl: string },
  ) => {
    const from = 'Rubrica <no-reply@rubrica.example>';
    const transport = createSmtpTransport({ url: smtpUrl, from, maxConnections: 1 });
    const notices = createNoticeQueue({
      database: notifier.database,
      transport,
      intake: {
        'partners.contact': async ({ partnerId }) => ({
          partnerId,
          name: 'Cooperativa <Andina>',
          email: 'soporte@andina.example',
          language: 'es',
        }),
      },
      from,
      operatorAlertEmail: 'guardia@rubrica.example',
      timeZone: 'America/Guayaquil',
      logger: silentLogger,
      onAttempt: () => undefined,
      ...overrides,
    });
    notices.start();
    return notices;
  };

  it('go to partner and operator, say who, where, since when and how many, and hold no secret', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    await using smtp = await startSmtpServer();
    await disabled(notifier, receiver);
    const notices = startNotices(notifier, { smtpUrl: smtp.url });
    await expect.poll(() => smtp.mails.length).toBe(2);
    await notices.stop();
    expect(smtp.mails.map(({ to }) => to).toSorted()).toEqual([
      'guardia@rubrica.example',
      'soporte@andina.example',
    ]);
    for (const { source } of smtp.mails) {
      expect(source).toContain(new URL(receiver.url).host);
      expect(source).not.toContain('/hook');
      expect(source).not.toContain('whsec_');
    }
    const states = await notifier.database.execute('select distinct state from notice');
    expect(states).toEqual([{ state: 'SENT' }]);
  });

  it('carry no text that stands where a destination is kept', async () => {
    await using notifier = await start({ alertsOperator: false });
    await using receiver = await startReceiver();
    await using smtp = await startSmtpServer();
    await disabled(notifier, receiver);
    await notifier.database.execute(
      `update notice set destination = destination || '/login. URGENTE: confirme su clave'`,
    );
    const notices = startNotices(notifier, { smtpUrl: smtp.url });
    const state = async () => (await notifier.database.execute('select state from notice'))[0]?.state;
    await expect.poll(state).toBe('FAILED');
    await notices.stop();
    expect(smtp.mails).toEqual([]);
  });

  it('wait while the mail server is away, and come once', async () => {
    await using notifier = await start({ alertsOperator: false });
    await using receiver = await startReceiver();
    await using smtp = await startSmtpServer();
    smtp.faults.push({ on: 'MAIL', reply: '421 not now' });
    await disabled(notifier, receiver);
    expect(await kinds(notifier)).toEqual(['webhook-disabled']);
    const notices = startNotices(notifier, { smtpUrl: smtp.url });
    const row = async () => (await notifier.database.execute('select * from notice'))[0];
    await expect.poll(async () => (await row())?.attempts).toBe(1);
    expect(await row()).toMatchObject({ state: 'PENDING' });
    await notifier.database.execute('update notice set due_at = now()');
    notices.nudge();
    await expect.poll(async () => (await row())?.state).toBe('SENT');
    await notices.stop();
    expect(smtp.mails.length).toBe(1);
    expect(smtp.mails[0]?.source).toContain(`<${(await row())?.id}@rubrica.example>`);
  });
});
