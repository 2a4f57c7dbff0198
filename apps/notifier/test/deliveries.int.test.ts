import { release } from '@rubrica/process/release';
import { uuidv7 } from '@rubrica/process/time';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { notifierSchema } from './support/database.ts';
import { notifierGround } from './support/ground.ts';
import {
  bundle,
  type NotifierUnderTest,
  partnerId,
  startNotifier,
  webhookSecret,
} from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';

const ground = notifierGround();

const { start } = ground;

const stateOf = async (notifier: NotifierUnderTest, id: string) => (await notifier.delivery(id)).state;

describe('a webhook delivery', () => {
  it('goes nowhere but to the destination that intake grants, whatever its row says by then', async () => {
    const altered: string[] = [];
    await using notifier = await start({ onAltered: (id) => altered.push(id) });
    await using receiver = await startReceiver((response) => response.writeHead(503).end());
    await using elsewhere = await startReceiver();
    const id = await notifier.addEvent({ url: receiver.url });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => receiver.calls.length).toBeGreaterThan(0);
    const move = `update delivery set url = $2, destination = $3, due_at = now(), state = 'PENDING' where id = $1`;
    await notifier.database.execute(move, [id, elsewhere.url, new URL(elsewhere.url).origin]);
    await expect.poll(() => altered).toContain(id);
    await expect
      .poll(async () => (await notifier.delivery(id)).last_error)
      .toBe('its destination is not the one that the partner registered');
    expect(elsewhere.calls).toEqual([]);
    receiver.answer = (response) => response.writeHead(204).end();
    await notifier.database.execute(move, [id, receiver.url, new URL(receiver.url).origin]);
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    expect(elsewhere.calls).toEqual([]);
  });

  it('hands over an issued certificate, signed, with the headers of the interface', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const occurredAt = '2026-11-21T02:03:04.567Z';
    const id = await notifier.addEvent({ url: receiver.url, occurredAt });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await notifier.deliveries.receive({ eventId: id, traceparent });
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    const [call] = receiver.calls;
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'x-rubrica-event': 'certificate.issued',
      'user-agent': `Rubrica-Webhooks/${release}`,
      'x-rubrica-occurred-at': '2026-11-20T21:03:04.567',
      traceparent,
    });
    const verified = new Webhook(webhookSecret).verify(
      call?.body ?? '',
      call?.headers as Record<string, string>,
    );
    expect(verified).toEqual({ referenceTransaction: 'TX-1', ...bundle, serialNumber: '0A1B2C' });
  });

  it('is acknowledged once by a 2xx after informational answers, though its body is cut short', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeHead(200, { 'content-length': '100' });
      response.write('part', () => response.socket?.end());
    });
    const id = await notifier.addEvent({ url: receiver.url });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    expect(receiver.calls.length).toBe(1);
    expect(notifier.attempts).toMatchObject([{ outcome: 'ACKNOWLEDGED', status: 200, error: null }]);
    const logged = await notifier.database.execute('select status from attempt where delivery_id = $1', [id]);
    expect(logged).toEqual([{ status: 200 }]);
  });

  it('tells of a certificate that was revoked, and by a header whose renewal it was', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const certificate = {
      ...{ serialNumber: '0A1B2C', notAfter: '2027-11-21T02:03:03.000Z', daysLeft: null },
      ...{ revocationReason: 'keyCompromise' as const, revokedAt: '2026-11-21T02:03:04.567Z' },
    };
    const type = 'certificate.revoked';
    const id = await notifier.addEvent({ url: receiver.url, type, certificate, renewalOf: 'TX-0' });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    const [call] = receiver.calls;
    expect(call?.headers).toMatchObject({ 'x-rubrica-event': type, 'x-rubrica-renewal-of': 'TX-0' });
    expect(JSON.parse(call?.body ?? '')).toEqual({
      referenceTransaction: 'TX-1',
      serialNumber: '0A1B2C',
      revocationReason: 'keyCompromise',
      revokedAt: '2026-11-20T21:03:04.567',
    });
  });

  it.each([
    { type: 'request.error', code: 'FINGER_CODE_MISMATCH', told: 'FINGER_CODE_MISMATCH' },
    { type: 'request.refused', code: 'APPLICANT_UNDERAGE', told: 'APPLICANT_UNDERAGE' },
    // As the envelope says it where intake names none.
    { type: 'request.error', code: null, told: 'INTERNAL_ERROR' },
    { type: 'certificate.issued', code: null, told: undefined },
  ] as const)('says the code of a fault in a header at every attempt: $type, $code', async (row) => {
    await using notifier = await start();
    await using receiver = await startReceiver((response, number) =>
      response.writeHead(number === 1 ? 500 : 204).end(),
    );
    const { type, code, told } = row;
    const id = await notifier.addEvent({ url: receiver.url, type, code, message: 'no' });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    expect(receiver.calls.map(({ headers }) => headers['x-rubrica-code'])).toEqual([told, told]);
    expect(receiver.calls[0]?.body).not.toContain('"code"');
  });

  it('is tried again with the same id and bytes and a new signature until it is acknowledged', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response, number) =>
      response.writeHead(number < 3 ? 500 : 200).end('the words of the receiver'),
    );
    const id = await notifier.addEvent({ url: receiver.url });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
    for (const { body, headers } of receiver.calls) {
      new Webhook(webhookSecret).verify(body, headers as Record<string, string>);
    }
    const log = await notifier.database.execute(
      'select fence, outcome, status, error from attempt where delivery_id = $1 order by fence',
      [id],
    );
    expect(log).toEqual([
      { fence: 1, outcome: 'REFUSED', status: 500, error: 'the receiver answered 500' },
      { fence: 2, outcome: 'REFUSED', status: 500, error: 'the receiver answered 500' },
      { fence: 3, outcome: 'ACKNOWLEDGED', status: 200, error: null },
    ]);
  });

  it.each([
    ['hangs', 'TIMEOUT', () => undefined],
    ['resets', 'CONNECTION_FAILED', (response) => response.socket?.resetAndDestroy()],
    ['redirects', 'REDIRECTED', (response) => response.writeHead(302, { location: '/' }).end()],
  ] as [string, string, Parameters<typeof startReceiver>[0]][])(
    'survives a receiver that %s once',
    async (_, outcome, misbehave) => {
      await using notifier = await start({ dialer: { policy: { allowLoopback: true }, budgetMs: 500 } });
      await using receiver = await startReceiver((response, number) =>
        number === 1 ? misbehave?.(response, number) : response.end(),
      );
      const id = await notifier.addEvent({ url: receiver.url });
      await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
      await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
      expect(notifier.attempts.map((attempt) => attempt.outcome)).toEqual([outcome, 'ACKNOWLEDGED']);
    },
  );

  it('stops at 410', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response) => response.writeHead(410).end());
    const id = await notifier.addEvent({ url: receiver.url, type: 'request.error', message: 'x' });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('STOPPED');
    expect(await notifier.delivery(id)).toMatchObject({ attempts: 1, due_at: null, last_status: 410 });
  });

  it('waits as long as Retry-After asks', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response, number) =>
      number === 1 ? response.writeHead(503, { 'retry-after': '1' }).end() : response.end(),
    );
    const id = await notifier.addEvent({ url: receiver.url });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    const [first, second] = receiver.calls;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('is exhausted, visibly, when the schedule is used up', async () => {
    await using notifier = await start();
    const id = await notifier.addEvent({ url: 'http://127.0.0.1:1/' });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('EXHAUSTED');
    expect(await notifier.delivery(id)).toMatchObject({
      attempts: 4,
      due_at: null,
      last_error: 'the connection failed: ECONNREFUSED',
    });
  });

  it('is sent once when the same job comes twice, at the same time or later', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const job = { eventId: await notifier.addEvent({ url: receiver.url }), traceparent: undefined };
    await Promise.all([notifier.deliveries.receive(job), notifier.deliveries.receive(job)]);
    await expect.poll(() => stateOf(notifier, job.eventId)).toBe('DELIVERED');
    await notifier.deliveries.receive(job);
    await expect.poll(notifier.deliveries.inHand).toBe(0);
    expect(receiver.calls.length).toBe(1);
  });

  it.each([
    ['its bundle is deleted', { grant: null }, 'PAYLOAD_EXPIRED'],
    ['intake does not know its event', undefined, 'REQUEST_NOT_FOUND'],
  ] as const)(
    'that is on file has nothing left to do when its job comes again and %s',
    async (_, later, code) => {
      await using notifier = await start();
      await using receiver = await startReceiver();
      const id = await notifier.addEvent({ url: receiver.url });
      await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
      await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
      const unknown = await notifier.addEvent({ url: receiver.url });
      for (const eventId of [id, unknown]) notifier.changeEvent(eventId, later);
      await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
      const first = notifier.deliveries.receive({ eventId: unknown, traceparent: undefined });
      await expect(first).rejects.toMatchObject({ code });
      expect(receiver.calls.length).toBe(1);
    },
  );

  it('keeps the body sealed at rest', async () => {
    await using notifier = await start();
    const id = await notifier.addEvent({ url: 'http://127.0.0.1:1/' });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    const row = JSON.stringify(await notifier.delivery(id));
    for (const secret of [bundle.password, bundle.file, webhookSecret]) expect(row).not.toContain(secret);
  });

  it('never goes to a forbidden address, and says so plainly', async () => {
    await using notifier = await start({ dialer: { policy: { allowLoopback: false }, budgetMs: 500 } });
    await using receiver = await startReceiver();
    const id = await notifier.addEvent({ url: receiver.url });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('EXHAUSTED');
    expect((await notifier.delivery(id)).last_error).toBe(
      '127.0.0.1 is a loopback address and is not called',
    );
    expect(receiver.calls).toEqual([]);
  });

  it('is signed with the secrets that are valid at the attempt', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const newer = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const keyring = await ground.keys.keyring('notifier');
    const sealedSecrets = await Promise.all(
      [newer, webhookSecret].map((text) =>
        keyring.sealTo('notifier', text, { purpose: 'webhook-secret', owner: partnerId }),
      ),
    );
    const id = await notifier.addEvent({ url: receiver.url, sealedSecrets });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => receiver.calls.length).toBe(1);
    const [call] = receiver.calls;
    for (const secret of [newer, webhookSecret]) {
      new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>);
    }
  });
});

describe('an event that intake says is over', () => {
  it('is not sent any more, visibly, and signed with nothing of before', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response) => response.writeHead(500).end());
    const id = await notifier.addEvent({ url: receiver.url });
    notifier.over.add(id);
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(() => stateOf(notifier, id)).toBe('EXHAUSTED');
    // The first attempt is signed with what came with the event.
    expect(receiver.calls).toHaveLength(1);
    expect((await notifier.delivery(id)).last_error).toBe(
      'the time to deliver it is over; an operator can have it sent again',
    );
  });
});

describe('many deliveries', () => {
  it('to a dead partner do not hold up a healthy one', async () => {
    await using notifier = await start({ dialer: { policy: { allowLoopback: true }, budgetMs: 60_000 } });
    await using dead = await startReceiver(() => undefined);
    await using healthy = await startReceiver();
    const receive = async (url: string) =>
      notifier.deliveries.receive({ eventId: await notifier.addEvent({ url }), traceparent: undefined });
    await Promise.all(Array.from({ length: 100 }, () => receive(dead.url)));
    await Promise.all(Array.from({ length: 100 }, () => receive(healthy.url)));
    await expect.poll(() => healthy.calls.length).toBe(100);
    expect(dead.calls.length).toBeLessThanOrEqual(16);
  });

  it('to many receivers of one partner that hold their answers leave room for the others', async () => {
    await using notifier = await start({
      dialer: { policy: { allowLoopback: true }, budgetMs: 60_000 },
      limits: { total: 1, perDestination: 2 },
    });
    await using slow = await startReceiver(() => undefined);
    await using healthy = await startReceiver();
    const receive = async (url: string, owner = partnerId) => {
      const id = await notifier.addEvent({ url, partnerId: owner });
      await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
      return id;
    };
    const { port } = new URL(slow.url);
    const noisy = uuidv7();
    for (let host = 0; host < 40; host++) await receive(`http://host${host}.localhost:${port}/`, noisy);
    await expect.poll(() => slow.calls.length).toBeGreaterThanOrEqual(6);
    const id = await receive(healthy.url);
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    // What is due in the ledger has its turn too, though forty others are due before it.
    await notifier.database.execute(`update delivery set state = 'PENDING', due_at = now() where id = $1`, [
      id,
    ]);
    notifier.deliveries.nudge();
    await expect.poll(() => healthy.calls.length).toBe(2);
    expect(notifier.attempts.map(({ outcome }) => outcome)).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED']);
  });

  it('of two partners to one host do not wait for each other', async () => {
    await using notifier = await start({ dialer: { policy: { allowLoopback: true }, budgetMs: 60_000 } });
    await using shared = await startReceiver((response) => {
      if (response.req.url === '/fast') response.writeHead(204).end();
    });
    const [slow, fast] = [uuidv7(), uuidv7()];
    const receive = async (path: string, owner: string) => {
      const id = await notifier.addEvent({ url: new URL(path, shared.url).href, partnerId: owner });
      await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
      return id;
    };
    await Promise.all(Array.from({ length: 60 }, () => receive('/slow', slow)));
    const id = await receive('/fast', fast);
    await expect.poll(() => stateOf(notifier, id)).toBe('DELIVERED');
    await notifier.database.execute(`update delivery set state = 'PENDING', due_at = now() where id = $1`, [
      id,
    ]);
    notifier.deliveries.nudge();
    await expect.poll(() => shared.calls.filter(({ path }) => path === '/fast').length).toBe(2);
  });

  it('are taken over by another copy when one dies with them in hand', async () => {
    const service = await notifierSchema(ground.databases);
    await using first = await startNotifier({ service, keys: ground.keys });
    await using receiver = await startReceiver();
    receiver.answer = (response) => response.writeHead(503).end();
    const id = await first.addEvent({ url: receiver.url });
    await first.deliveries.receive({ eventId: id, traceparent: undefined });
    await first.deliveries.stop();
    receiver.answer = (response) => response.writeHead(204).end();
    receiver.calls.length = 0;
    // As a process leaves it that was killed during an attempt: leased, and the lease has passed.
    await first.database.execute(
      `update delivery set state = 'PENDING', fence = fence + 1, due_at = now() - interval '1 s' where id = $1`,
      [id],
    );
    await using second = await startNotifier({ service, keys: ground.keys });
    await expect.poll(() => stateOf(second, id)).toBe('DELIVERED');
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
  });

  it('are shared by two copies without sending any twice', async () => {
    const service = await notifierSchema(ground.databases);
    await using receiver = await startReceiver();
    await using first = await startNotifier({ service, keys: ground.keys });
    for (let i = 0; i < 200; i++) {
      const id = await first.addEvent({ url: receiver.url });
      await first.deliveries.receive({ eventId: id, traceparent: undefined });
    }
    await expect.poll(() => receiver.calls.length).toBe(200);
    const pending = async () =>
      (await first.database.execute(`select 1 from delivery where state = 'PENDING'`)).length;
    // An attempt whose record is still on its way would end what is made pending below.
    await expect.poll(pending).toBe(0);
    receiver.calls.length = 0;
    await first.database.execute(`update delivery set state = 'PENDING', due_at = now() + interval '1 s'`);
    await using _second = await startNotifier({ service, keys: ground.keys });
    await expect.poll(() => receiver.calls.length).toBe(200);
    await expect.poll(pending).toBe(0);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
    expect(receiver.calls.length).toBe(200);
  });
});
