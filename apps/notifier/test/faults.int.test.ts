import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { createRowGuard } from '@rubrica/database/guarded';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { type GuardedDelivery, guardedTables, protectDelivery } from '../src/store/guarded-tables.ts';
import { isoSql } from '../src/store/instants.ts';
import { startSurroundings } from './support/process.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const surroundings = await disposeAfterAll(startSurroundings());

const delivery = async (id: string) => {
  const [row] = await surroundings.database.execute<{ state: string; attempts: number; last_error: string }>(
    'select state, attempts, last_error from delivery where id = $1',
    [id],
  );
  return row;
};
const outcomes = async (id: string) => {
  const rows = await surroundings.database.execute<{ outcome: string }>(
    'select outcome from attempt where delivery_id = $1 order by fence',
    [id],
  );
  return rows.map(({ outcome }) => outcome);
};
/** Once so many attempts are recorded, the next one is due now: the schedule's minutes are not a test's. */
async function hurryAfter(id: string, attempts: number): Promise<void> {
  await expect.poll(async () => (await delivery(id))?.attempts).toBe(attempts);
  await surroundings.database.execute(
    `update delivery set due_at = now() where id = $1 and state = 'PENDING'`,
    [id],
  );
}
async function send(url: string): Promise<string> {
  const id = await surroundings.addEvent({ url, type: 'request.error', message: 'x' });
  await surroundings.publishEvent(id);
  return id;
}
/** At least once, under one id and with one body, whatever happened. */
function expectOneEvent(receiver: Receiver, id: string): void {
  expect(receiver.calls.length).toBeGreaterThan(0);
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
}

const drip = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100000' });
  const timer = setInterval(() => response.write('x'), 100);
  response.on('close', () => clearInterval(timer));
};

/** What a receiver does at its first call; at the second it works. */
const faults: [string, string, (response: ServerResponse) => void][] = [
  ['answers 500', 'REFUSED', (response) => response.writeHead(500).end()],
  [
    'asks for patience with 503',
    'REFUSED',
    (response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
  ],
  ['hangs', 'TIMEOUT', () => undefined],
  ['sends its headers and hangs', 'TIMEOUT', (response) => response.writeHead(200).flushHeaders()],
  ['drips a byte at a time', 'TIMEOUT', drip],
  ['resets the connection', 'CONNECTION_FAILED', (response) => response.socket?.resetAndDestroy()],
  [
    'redirects to a metadata address',
    'REDIRECTED',
    (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  ],
];

describe('the running notifier delivers all the same when a receiver', () => {
  it.each(faults)('%s', async (_, outcome, misbehave) => {
    await using receiver = await startReceiver((response, number) =>
      number === 1 ? misbehave(response) : response.end(),
    );
    await using _notifier = surroundings.start();
    const id = await send(receiver.url);
    await hurryAfter(id, 1);
    await expect.poll(async () => (await delivery(id))?.state).toBe('DELIVERED');
    expect(await outcomes(id)).toEqual([outcome, 'ACKNOWLEDGED']);
    expectOneEvent(receiver, id);
  });

  it('answers 200 with a body that never ends: it has acknowledged, and the rest is not read', async () => {
    let sent = 0;
    await using receiver = await startReceiver((response) => {
      response.writeHead(200);
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.on('drain', pump);
      pump();
    });
    await using _notifier = surroundings.start();
    const id = await send(receiver.url);
    await expect.poll(async () => (await delivery(id))?.state).toBe('DELIVERED');
    expectOneEvent(receiver, id);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('is not there, until the schedule is used up: exhausted, visibly', async () => {
    const server = createServer((socket: Socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    await new Promise((resolve) => server.close(resolve));
    await using _notifier = surroundings.start();
    const id = await send(url);
    for (let attempt = 1; attempt < 10; attempt++) await hurryAfter(id, attempt);
    await expect.poll(async () => (await delivery(id))?.state).toBe('EXHAUSTED');
    expect(await delivery(id)).toMatchObject({
      attempts: 10,
      last_error: 'the connection failed: ECONNREFUSED',
    });
  });
});

describe('PostgreSQL restarted', () => {
  it('while a receiver holds its answer, costs neither the delivery nor a second call', async () => {
    const held: ServerResponse[] = [];
    await using receiver = await startReceiver((response) => void held.push(response));
    await using _notifier = surroundings.start();
    const id = await send(receiver.url);
    await expect.poll(() => held.length).toBe(1);
    await surroundings.postgres.kill();
    held[0]?.end();
    await surroundings.postgres.restart();
    await expect
      .poll(() =>
        delivery(id)
          .then((row) => row?.state)
          .catch(() => undefined),
      )
      .toBe('DELIVERED');
    expectOneEvent(receiver, id);
  });
});

describe('ten thousand deliveries due for a dead partner', () => {
  it('cost a healthy one nothing: the dead one gets its own places and then a probe at a time', async () => {
    await using dead = await startReceiver(() => undefined);
    await using healthy = await startReceiver();
    await using _notifier = surroundings.start();
    const warm = await times(healthy, 30);
    const quiet = await times(healthy, 200);
    const id = await send(dead.url);
    await expect.poll(() => dead.calls.length).toBe(1);
    for (let stored = 0; stored < 10_000; stored += 1_000) await addDueDeliveries(id, 1_000);
    const before = dead.calls.length;
    const loaded = await times(healthy, 200);
    const called = dead.calls.length - before;
    const ratio = p95(loaded) / p95(quiet);
    process.stdout.write(
      `healthy p95 ${p95(quiet).toFixed(0)} ms quiet, ${p95(loaded).toFixed(0)} ms beside 10,000 dead ones: ` +
        `ratio ${ratio.toFixed(2)}; ${called} calls to the dead one (${warm.length} to warm up)\n`,
    );
    // A few rounds of 16 places until it is left alone, and a probe or two.
    expect(called).toBeLessThan(100);
    const [left] = await surroundings.database.execute<{ pending: number; attempts: number }>(
      `select count(*)::int as pending, sum(attempts)::int as attempts from delivery
       where destination = $1 and state = 'PENDING'`,
      [new URL(dead.url).origin],
    );
    expect(left?.pending).toBe(10_001);
    expect(left?.attempts).toBeLessThanOrEqual(dead.calls.length);
    await surroundings.database.execute(
      `update delivery set state = 'STOPPED', due_at = null where state = 'PENDING'`,
    );
  });
});

/** Like the delivery `id`, each with a body of its own: one that belongs to another delivery would not be opened. */
async function addDueDeliveries(id: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const bodies = await Promise.all(
    ids.map((owner) => surroundings.seal('{}', { purpose: 'webhook-body', owner })),
  );
  const [like] = await surroundings.database.execute<Omit<GuardedDelivery, 'id' | 'body'>>(
    `select request_id as "requestId", partner_id as "partnerId", url, type, ${isoSql('occurred_at')} as "occurredAt",
       renewal_of as "renewalOf", code from delivery where id = $1`,
    [id],
  );
  if (like === undefined) throw new Error('there is no such delivery');
  const keys = await surroundings.keys.keyring('notifier');
  const rows = createRowGuard({ keys, tables: guardedTables, onFailed: () => undefined });
  const macs = ids.map((own, index) =>
    protectDelivery(rows, { ...like, id: own, body: bodies[index] as GuardedDelivery['body'] }),
  );
  await surroundings.database.execute(
    `insert into delivery select (jsonb_populate_record(d, jsonb_build_object(
       'id', n.id, 'body', n.body, 'mac', n.mac, 'state', 'PENDING', 'attempts', 0, 'due_at', now()))).*
     from delivery d, unnest($2::uuid[], $3::text[], $4::text[]) as n (id, body, mac) where d.id = $1`,
    [id, ids, bodies, macs],
  );
}

/** Milliseconds from job to call, one after the other. */
async function times(receiver: Receiver, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) {
    const id = await surroundings.addEvent({ url: receiver.url, type: 'request.error', message: 'x' });
    const startedAt = performance.now();
    await surroundings.publishEvent(id);
    const call = () => receiver.calls.find(({ headers }) => headers['webhook-id'] === id);
    await expect.poll(call, { interval: 1 }).toBeDefined();
    taken.push((call()?.atMs ?? Number.POSITIVE_INFINITY) - startedAt);
  }
  return taken;
}

const p95 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
