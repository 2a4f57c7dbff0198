import { createHash } from 'node:crypto';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { createDeliveryStore } from '../src/deliveries/delivery.store.ts';
import { purgePayloads } from '../src/retention/purge-payloads.ts';
import { operatorsCalls, servicesCalls } from './support/calls.ts';
import { notifierGround } from './support/ground.ts';
import type { NotifierUnderTest } from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';

const ground = notifierGround();

const operatorId = '019aa1b2-0000-7000-8000-0000000000bb';
const operator = (role: 'viewer' | 'reviewer' | 'admin'): Caller => ({
  kind: 'operator',
  operatorId,
  email: 'someone@rubrica.example',
  role,
});

const callAs = (notifier: NotifierUnderTest, caller: Caller) => operatorsCalls(notifier, caller);

const { start } = ground;

async function deliver(notifier: NotifierUnderTest, url: string, overrides = {}) {
  const id = await notifier.addEvent({ url, ...overrides });
  await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
  await expect.poll(async () => (await notifier.delivery(id)).state).not.toBe('PENDING');
  return id;
}

const refusal = async (call: Promise<unknown>) =>
  call.then(
    () => 'no refusal',
    (error: { cause?: { code?: string } }) => error.cause?.code,
  );

describe("operators' procedures for deliveries", () => {
  it('show a delivery with its attempts, and nothing of its content', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response, number) =>
      response.writeHead(number === 1 ? 500 : 200).end(),
    );
    const id = await deliver(notifier, receiver.url);
    const shown = await callAs(notifier, operator('viewer')).deliveries.get({ id });
    expect(shown).toMatchObject({
      id,
      eventId: id,
      state: 'DELIVERED',
      attempts: 2,
      lastStatus: 200,
      nextAttemptAt: null,
    });
    expect(shown.attemptLog.map(({ number, outcome, status }) => [number, outcome, status])).toEqual([
      [1, 'REFUSED', 500],
      [2, 'ACKNOWLEDGED', 200],
    ]);
    expect(Object.keys(shown)).not.toContain('body');
  });

  it('outline what was sent, and keep what the receiver answered until the request is erased', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response, number) =>
      number === 1
        ? response.writeHead(401).end('{"error":\n"the signature is wrong"}')
        : response.writeHead(200).end('thanks'),
    );
    const id = await deliver(notifier, receiver.url);
    const api = callAs(notifier, operator('viewer'));
    const { outline, attemptLog, requestId } = await api.deliveries.get({ id });
    const body = receiver.calls[0]?.body ?? '';
    expect(outline).toMatchObject({
      bytes: Buffer.byteLength(body),
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    expect(outline?.fields.map(({ name }) => name)).toEqual(Object.keys(JSON.parse(body)));
    expect(attemptLog.map(({ answer }) => answer)).toEqual(['{"error": "the signature is wrong"}', null]);
    await servicesCalls(notifier, { kind: 'service', name: 'intake' }).deliveries.retain({
      requests: [{ requestId, version: 1, held: false, erase: 'ALL' }],
    });
    const erased = await api.deliveries.get({ id });
    expect([erased.outline, ...erased.attemptLog.map(({ answer }) => answer)]).toEqual([null, null, null]);
  });

  it('are searched page by page, newest first, with filters', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await deliver(notifier, receiver.url));
    const api = callAs(notifier, operator('viewer'));
    const first = await api.deliveries.search({ limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const second = await api.deliveries.search({ limit: 3, cursor: first.nextCursor ?? '' });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(second.nextCursor).toBeNull();
    expect((await api.deliveries.search({ state: 'EXHAUSTED' })).items).toEqual([]);
    const partnerId = first.items[0]?.partnerId ?? '';
    const ofPartner = await api.deliveries.search({ partnerId, limit: 3 });
    expect(ofPartner).toEqual(first);
    const rest = await api.deliveries.search({ partnerId, limit: 3, cursor: ofPartner.nextCursor ?? '' });
    expect(rest).toEqual(second);
    const arrived = await api.deliveries.search({ partnerId, state: 'DELIVERED' });
    expect(arrived.items.map(({ id }) => id)).toEqual(ids);
    expect((await api.deliveries.search({ partnerId, state: 'EXHAUSTED' })).items).toEqual([]);
    expect((await api.deliveries.search({ partnerId: operatorId })).items).toEqual([]);
    const requestId = first.items[1]?.requestId ?? '';
    expect((await api.deliveries.search({ requestId })).items.map(({ id }) => id)).toEqual([ids[1]]);
    expect(await refusal(api.deliveries.search({ cursor: 'nonsense' }))).toBe('FIELD_INVALID');
  });

  it('resend the same id and bytes, and note who did it and why', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const id = await deliver(notifier, receiver.url);
    const resent = await callAs(notifier, operator('reviewer')).deliveries.resend({
      id,
      reason: 'the partner asked',
    });
    expect(resent.state).toBe('PENDING');
    const { partnerId } = resent;
    expect(notifier.reopened).toEqual([{ partnerId, eventIds: [id], operatorToken: 'of the operator' }]);
    await expect.poll(() => receiver.calls.length).toBe(2);
    expect(receiver.calls[1]?.body).toBe(receiver.calls[0]?.body);
    expect(receiver.calls[1]?.headers['webhook-id']).toBe(id);
    await expect.poll(async () => (await notifier.delivery(id)).state).toBe('DELIVERED');
    const actions = await notifier.database.execute(
      `select actor, action, target, reason, details from audit where action <> 'audit.start'`,
    );
    expect(actions).toEqual([
      {
        actor: 'operator:someone@rubrica.example',
        action: 'deliveries.resend',
        target: `delivery:${id}`,
        reason: 'the partner asked',
        details: { requestId: resent.requestId },
      },
    ]);
  });

  it('resend while an attempt is under way, whose outcome then ends nothing', async () => {
    await using notifier = await start();
    const held: (() => void)[] = [];
    await using receiver = await startReceiver((response, number) => {
      if (number === 1) held.push(() => response.writeHead(410).end());
      else response.end();
    });
    const id = await notifier.addEvent({ url: receiver.url });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => receiver.calls.length).toBe(1);
    await callAs(notifier, operator('reviewer')).deliveries.resend({ id });
    await expect.poll(async () => (await notifier.delivery(id)).state).toBe('DELIVERED');
    held[0]?.();
    await expect.poll(() => notifier.attempts.length).toBe(2);
    await notifier.deliveries.stop();
    expect(await notifier.delivery(id)).toMatchObject({ state: 'DELIVERED', attempts: 1 });
    const { attemptLog } = await callAs(notifier, operator('viewer')).deliveries.get({ id });
    expect(attemptLog.map(({ outcome }) => outcome)).toEqual(['GONE', 'ACKNOWLEDGED']);
  });

  it('see every attempt of what was sent again, though the one acknowledged first has no row of its own', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response, number) =>
      response.writeHead([204, 500, 202][number - 1] ?? 200).end(),
    );
    const id = await deliver(notifier, receiver.url);
    const rows = () =>
      notifier.database.execute(
        'select fence, status from delivery_attempt where delivery_id = $1 order by fence',
        [id],
      );
    expect(await rows()).toEqual([]);
    const before = await callAs(notifier, operator('viewer')).deliveries.get({ id });
    await callAs(notifier, operator('reviewer')).deliveries.resend({ id });
    await expect.poll(() => notifier.attempts.length).toBe(3);
    await notifier.deliveries.stop();
    expect(await rows()).toEqual([
      { fence: 3, status: 500 },
      { fence: 4, status: 202 },
    ]);
    const shown = await callAs(notifier, operator('viewer')).deliveries.get({ id });
    expect(shown).toMatchObject({ state: 'DELIVERED', attempts: 3, lastStatus: 202 });
    expect(shown.attemptLog.map(({ number, outcome, status }) => [number, outcome, status])).toEqual([
      [1, 'ACKNOWLEDGED', 204],
      [2, 'REFUSED', 500],
      [3, 'ACKNOWLEDGED', 202],
    ]);
    expect([shown.deliveredAt, shown.attemptLog[0]]).toEqual([before.deliveredAt, before.attemptLog[0]]);
    const [{ startedAt = '', durationMs = 0 } = {}] = shown.attemptLog;
    expect(new Date(Date.parse(startedAt) + durationMs).toISOString()).toBe(shown.deliveredAt);
  });

  it.each(['before', 'after'])('see an attempt once whose record was repeated %s a resend', async (when) => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const id = await deliver(notifier, receiver.url);
    await notifier.deliveries.stop();
    const store = createDeliveryStore({
      database: notifier.database,
      disableAfterHours: 80,
      alertsOperator: false,
      onDisabled: () => undefined,
    });
    if (when === 'after') await callAs(notifier, operator('reviewer')).deliveries.resend({ id });
    expect(await store.record(notifier.attempts)).toEqual([when === 'before']);
    const log = await notifier.database.execute('select outcome from attempt where delivery_id = $1', [id]);
    expect(log).toEqual([{ outcome: 'ACKNOWLEDGED' }]);
  });

  it('refuse a resend once the bundle is purged, 24 h after the acknowledgement', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const id = await deliver(notifier, receiver.url);
    const sweep = () => notifier.database.execute(purgePayloads.text, purgePayloads.params ?? []);
    expect(await sweep()).toEqual([]);
    const hoursLeft = async () => {
      const [row] = await notifier.database.execute<{ hours: number }>(
        'select round(extract(epoch from purge_at - now()) / 3600)::int as hours from delivery where id = $1',
        [id],
      );
      return row?.hours;
    };
    expect(await hoursLeft()).toBe(24);
    await notifier.database.execute(`update delivery set purge_at = now() where id = $1`, [id]);
    expect((await sweep()).length).toBe(1);
    expect(await refusal(callAs(notifier, operator('admin')).deliveries.resend({ id }))).toBe(
      'PAYLOAD_EXPIRED',
    );
    expect((await notifier.delivery(id)).body).toBeNull();
  });

  it('keep an unacknowledged bundle for 30 days after issuance, and an error event without end', async () => {
    await using notifier = await start();
    const occurredAt = new Date(Date.now() - 29 * DAY_MS).toISOString();
    const bundleId = await deliver(notifier, 'http://127.0.0.1:1/', { occurredAt });
    const errorId = await deliver(notifier, 'http://127.0.0.1:1/', { type: 'request.error', message: 'x' });
    const rows = await notifier.database.execute(
      `select id, round(extract(epoch from purge_at - now()) / 86400)::int as days from delivery order by id`,
    );
    expect(rows).toEqual([
      { id: bundleId, days: 1 },
      { id: errorId, days: null },
    ]);
  });

  it('stop, visibly, when the content is purged while still being tried', async () => {
    await using notifier = await start();
    const id = await deliver(notifier, 'http://127.0.0.1:1/');
    await notifier.database.execute(
      `update delivery set state = 'PENDING', due_at = now(), body = null, purged_at = now() where id = $1`,
      [id],
    );
    notifier.deliveries.nudge();
    await expect.poll(async () => (await notifier.delivery(id)).state).toBe('STOPPED');
    const { attemptLog } = await callAs(notifier, operator('viewer')).deliveries.get({ id });
    expect(attemptLog.at(-1)?.outcome).toBe('PAYLOAD_EXPIRED');
  });

  it('are refused to whoever has not the role, and 404 where there is nothing', async () => {
    await using notifier = await start();
    const id = operatorId;
    expect(await refusal(callAs(notifier, operator('viewer')).deliveries.resend({ id }))).toBe('FORBIDDEN');
    expect(await refusal(callAs(notifier, operator('viewer')).messages.resend({ id }))).toBe('FORBIDDEN');
    expect(await refusal(callAs(notifier, { kind: 'service', name: 'gateway' }).deliveries.search({}))).toBe(
      'FORBIDDEN',
    );
    expect(await refusal(callAs(notifier, operator('admin')).deliveries.resend({ id }))).toBe(
      'REQUEST_NOT_FOUND',
    );
    expect(await refusal(callAs(notifier, operator('admin')).deliveries.get({ id }))).toBe(
      'REQUEST_NOT_FOUND',
    );
    expect(await refusal(callAs(notifier, operator('admin')).messages.resend({ id }))).toBe(
      'REQUEST_NOT_FOUND',
    );
  });
});

describe("operators' procedures for messages", () => {
  it('show masked recipients and resend all but superseded ones', async () => {
    await using notifier = await start();
    const requestId = operatorId;
    const [sent, superseded] = [
      '019aa1b2-0000-7000-8000-000000000001',
      '019aa1b2-0000-7000-8000-000000000002',
    ];
    await notifier.database.execute(
      `insert into message (id, request_id, channel, template, recipient_masked, state, sent_at)
       values ($1, $3, 'email', 'claim', 'j***@m***.com', 'SENT', now()),
              ($2, $3, 'email', 'claim', 'j***@m***.com', 'SUPERSEDED', null)`,
      [sent, superseded, requestId],
    );
    const api = callAs(notifier, operator('reviewer'));
    const { items } = await api.messages.search({ requestId });
    expect(items.map(({ id, to, state }) => [id, to, state])).toEqual([
      [superseded, 'j***@m***.com', 'SUPERSEDED'],
      [sent, 'j***@m***.com', 'SENT'],
    ]);
    expect(await api.messages.resend({ id: sent ?? '' })).toMatchObject({ state: 'PENDING' });
    expect(await refusal(api.messages.resend({ id: superseded ?? '' }))).toBe('REQUEST_STATE_NOT_ALLOWED');
  });

  it('show both channels, and say plainly why what is worth nothing is not sent again', async () => {
    await using notifier = await start();
    const ids = [1, 2, 3].map((number) => `019aa1b2-0000-7000-8000-00000000000${number}`) as [
      string,
      string,
      string,
    ];
    await notifier.database.execute(
      `insert into message (id, request_id, channel, template, recipient_masked, state, expires_at, last_error)
       values ($1, $4, 'sms', 'claim-code', '+593*****123', 'SENT', now() - interval '1 s', null),
              ($2, $4, 'sms', 'claim-code', '+593*****123', 'SENT', now() + interval '1 h', null),
              ($3, $4, 'email', 'claim', 'j***@m***.com', 'FAILED', null,
               'the mail server refused the recipient (550 5.1.1, no such mailbox)')`,
      [...ids, operatorId],
    );
    const api = callAs(notifier, operator('reviewer'));
    const { items } = await api.messages.search({ requestId: operatorId });
    expect(items.map(({ channel, to, lastError }) => [channel, to, lastError])).toEqual([
      ['email', 'j***@m***.com', 'the mail server refused the recipient (550 5.1.1, no such mailbox)'],
      ['sms', '+593*****123', null],
      ['sms', '+593*****123', null],
    ]);
    const [expired, living, failed] = ids;
    await expect(api.messages.resend({ id: expired })).rejects.toThrow(/has expired/);
    expect(await refusal(api.messages.resend({ id: expired }))).toBe('REQUEST_STATE_NOT_ALLOWED');
    expect(await api.messages.resend({ id: living })).toMatchObject({ channel: 'sms', state: 'PENDING' });
    expect(await api.messages.resend({ id: failed })).toMatchObject({ channel: 'email', state: 'PENDING' });
  });
});
