import { disposeAfterAll, type NatsUser, testNats } from '@rubrica/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import {
  busFailure,
  consume,
  createBusClient,
  createPublisher,
  ensureBucket,
  ensureConsumers,
  ensureStreams,
  objectStore,
  removeAcknowledged,
} from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { eventually, rejection, serveTestRouter, type TestBus, testBus } from './support.ts';

const inbox = (name: string) => `_INBOX_${name}.>`;
const user = (name: string, lists: { publish: string[]; subscribe: string[] }): NatsUser => ({
  user: name,
  password: `${name}-password`,
  publish: { allow: lists.publish },
  subscribe: { allow: lists.subscribe },
});

/** The lists of the README, word for word, for a router at `rpc.v1.test`, stream JOBS and bucket FILES. */
const users: NatsUser[] = [
  user('caller', { publish: ['rpc.v1.test.>'], subscribe: [inbox('caller')] }),
  user('server', {
    publish: [inbox('caller'), inbox('watcher')],
    subscribe: ['rpc.v1.test.> test', 'rpc.v1.test._cancel', '$SRV.>'],
  }),
  user('watcher', { publish: ['$SRV.>'], subscribe: [inbox('watcher')] }),
  user('publisher', { publish: ['jobs.>'], subscribe: [inbox('publisher')] }),
  user('worker', {
    publish: ['$JS.API.CONSUMER.MSG.NEXT.JOBS.worker', '$JS.ACK.JOBS.worker.>'],
    subscribe: [inbox('worker')],
  }),
  user('cleaner', {
    publish: ['$JS.API.STREAM.INFO.JOBS', '$JS.API.CONSUMER.INFO.JOBS.worker', '$JS.API.STREAM.PURGE.JOBS'],
    subscribe: [inbox('cleaner')],
  }),
  user('provision', {
    publish: [
      '$JS.API.STREAM.INFO.*',
      '$JS.API.STREAM.CREATE.*',
      '$JS.API.STREAM.UPDATE.*',
      '$JS.API.CONSUMER.INFO.*.*',
      '$JS.API.CONSUMER.CREATE.>',
    ],
    subscribe: [inbox('provision')],
  }),
  user('uploader', { publish: ['$O.FILES.C.*.*'], subscribe: [inbox('uploader')] }),
  user('reader', {
    publish: ['$JS.API.STREAM.MSG.GET.OBJ_FILES', '$JS.API.DIRECT.GET.OBJ_FILES'],
    subscribe: [inbox('reader')],
  }),
  user('sweeper', {
    publish: [
      '$JS.API.STREAM.MSG.GET.OBJ_FILES',
      '$JS.API.STREAM.INFO.OBJ_FILES',
      '$JS.API.STREAM.PURGE.OBJ_FILES',
    ],
    subscribe: [inbox('sweeper')],
  }),
];
const open: TestBus[] = [];

async function as(name: string): Promise<TestBus> {
  const test = await testBus(nats.url, name, { user: name, password: `${name}-password` });
  open.push(test);
  return test;
}

const nats = await disposeAfterAll(testNats({ users }));
const { bus } = await as('provision');
const stream = { retention: 'workqueue', discard: 'new', maxAgeMs: 0, maxBytes: 1e6 } as const;
await ensureStreams(bus, [{ name: 'JOBS', subjects: ['jobs.>'], duplicateWindowMs: 600_000, ...stream }]);
const consumer = { stream: 'JOBS', durable: 'worker', filterSubject: 'jobs.>', ackWaitMs: 10_000 };
await ensureConsumers(bus, [{ ...consumer, maxDeliver: -1, maxAckPending: 100 }]);
await ensureConsumers(bus, [{ ...consumer, maxDeliver: 50, maxAckPending: 100 }]);
await ensureBucket(bus, { bucket: 'FILES', maxBytes: 1e7 });

afterAll(async () => {
  for (const test of open) await test[Symbol.asyncDispose]();
});

describe('with the allow-lists of the README', () => {
  it('calls, aborts, discovery and statistics work', async () => {
    const server = await as('server');
    const caller = await as('caller');
    const watcher = await as('watcher');
    const served = await serveTestRouter(server.bus, { subjectPrefix: 'rpc.v1.test', name: 'allowed' });
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix: 'rpc.v1.test' });
    expect(await client.greet.query({ name: 'Ana' })).toBe('hello Ana');
    const abort = new AbortController();
    const call = rejection(client.slow.mutate({ label: 'x', ms: 60_000 }, { signal: abort.signal }));
    await eventually(() => served.inFlight() === 1, 'it runs');
    abort.abort();
    await call;
    await eventually(() => served.inFlight() === 0, 'it was aborted');
    const stats = await watcher.bus.nc.request('$SRV.STATS.allowed', '', { timeout: 5_000 });
    expect(stats.json()).toMatchObject({ name: 'allowed', id: served.id });
    expect(server.faults).toEqual([]);
  });

  it('publishing and consuming work', async () => {
    const worker = await as('worker');
    const publisher = createPublisher((await as('publisher')).bus);
    const seen: string[] = [];
    const errors: string[] = [];
    const consuming = consume(worker.bus, {
      stream: 'JOBS',
      durable: 'worker',
      slots: 2,
      ackWaitMs: 10_000,
      parse: (json) => json,
      onInvalid: () => undefined,
      onError: (error) => errors.push(error.message),
      handle: ({ id }) => {
        seen.push(id);
        return { outcome: 'ack' };
      },
    });
    await publisher.publish({ subject: 'jobs.a', id: 'one', data: {} });
    await eventually(() => seen.length === 1, 'it was delivered');
    await consuming.stop();
    expect(errors).toEqual([]);
    expect(await removeAcknowledged((await as('cleaner')).bus, { stream: 'JOBS', durable: 'worker' })).toBe(
      0,
    );
  });

  it('objects are uploaded, read and swept', async () => {
    const uploads = objectStore((await as('uploader')).bus, 'FILES');
    const reader = objectStore((await as('reader')).bus, 'FILES');
    const sweeper = objectStore((await as('sweeper')).bus, 'FILES');
    const upload = uploads.upload();
    upload.write(Buffer.from('bytes'));
    const entry = await upload.finish();
    expect((await reader.get(entry).bytes()).toString()).toBe('bytes');
    const refused = reader.upload();
    refused.write(Buffer.from('x'));
    expect(await rejection(refused.finish())).toMatchObject({ code: 'forbidden' });
    const all = { olderThanMs: -1_000, wanted: async () => new Set<string>() };
    expect(await rejection(uploads.sweep(all))).toMatchObject({ code: 'forbidden' });
    expect(await sweeper.sweep(all)).toEqual({ removed: 1, foreign: 0 });
    expect(await rejection(reader.get(entry).bytes())).toMatchObject({ code: 'missing' });
  });
});

describe('without permission', () => {
  it('a call fails at once as FORBIDDEN', async () => {
    const { bus } = await as('publisher');
    const client = createBusClient<TestRouter>(bus, { subjectPrefix: 'rpc.v1.test', timeoutMs: 60_000 });
    const error = await rejection(client.greet.query({ name: 'a' }));
    expect(error).toMatchObject({ data: { code: 'FORBIDDEN' } });
    expect(busFailure(error)).toMatchObject({ reason: 'refused', started: 'no' });
  });

  it('serving fails at once', async () => {
    const { bus } = await as('caller');
    await expect(serveTestRouter(bus, { subjectPrefix: 'rpc.v1.test' })).rejects.toThrow(/Permissions/i);
  });

  it('publishing fails at once', async () => {
    const { bus } = await as('worker');
    const error = await rejection(createPublisher(bus).publish({ subject: 'jobs.a', id: '1', data: {} }));
    expect(error).toMatchObject({ code: 'forbidden' });
  });

  it('a consumer says which subject it lacks', async () => {
    const { bus } = await as('reader');
    const errors: string[] = [];
    const consuming = consume(bus, {
      stream: 'JOBS',
      durable: 'worker',
      slots: 3,
      ackWaitMs: 10_000,
      parse: (json) => json,
      onInvalid: () => undefined,
      onError: (error) => errors.push(error.message),
      handle: () => ({ outcome: 'ack' }),
    });
    await eventually(() => errors.length > 0, 'it was reported');
    await consuming.stop();
    const subject = '$JS.API.CONSUMER.MSG.NEXT.JOBS.worker';
    expect(errors).toEqual([`consumer JOBS/worker: not allowed to publish to ${subject}`]);
  });

  it('nobody else hears the answers of a call', async () => {
    const { bus } = await as('watcher');
    const refused: string[] = [];
    bus.onStatus((status) => {
      if (status.type === 'refused') refused.push(status.subject);
    });
    bus.nc.subscribe('_INBOX_caller.>', { callback: () => undefined });
    bus.nc.subscribe('rpc.v1.test.>', { callback: () => undefined });
    await eventually(() => refused.length === 2, 'both were refused');
  });
});

describe('credentials', () => {
  it('that are wrong end the connection instead of being tried again and again', async () => {
    await expect(testBus(nats.url, 'caller', { user: 'caller', password: 'x' })).rejects.toThrow(/auth/i);
  });
});
