import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import {
  type ConsumerDefinition,
  createPublisher,
  ensureConsumers,
  ensureStreams,
  JetStreamError,
  type StreamDefinition,
} from '../src/index.ts';
import { rejection, testBus } from './support.ts';

const nats = await disposeAfterAll(testNats({ extraConfig: 'max_payload: 1MB' }));
const test = await disposeAfterAll(testBus(nats.url, 'test'));

const jobs = (name: string, overrides: Partial<StreamDefinition> = {}): StreamDefinition => ({
  name,
  subjects: [`jobs.${name.toLowerCase()}.>`],
  retention: 'workqueue',
  discard: 'new',
  maxAgeMs: 0,
  maxBytes: 1_048_576,
  duplicateWindowMs: 600_000,
  ...overrides,
});

const worker = (stream: string, overrides: Partial<ConsumerDefinition> = {}): ConsumerDefinition => ({
  stream,
  durable: 'worker',
  ackWaitMs: 30_000,
  maxDeliver: -1,
  maxAckPending: 100,
  ...overrides,
});

describe('ensuring streams', () => {
  it('creates, leaves alone, and updates', async () => {
    expect(await ensureStreams(test.bus, [jobs('ENSURED')])).toEqual(['created']);
    expect(await ensureStreams(test.bus, [jobs('ENSURED')])).toEqual(['unchanged']);
    expect(await ensureStreams(test.bus, [jobs('ENSURED', { maxBytes: 2_000_000 })])).toEqual(['updated']);
    const manager = await test.bus.nc.jetstreamManager();
    expect((await manager.streams.info('ENSURED')).config).toMatchObject({
      retention: 'workqueue',
      discard: 'new',
      storage: 'file',
      max_bytes: 2_000_000,
      duplicate_window: 600e9,
      num_replicas: 1,
    });
  });

  it('may happen in several places at once', async () => {
    const definitions = [jobs('AT_ONCE')];
    const all = await Promise.all(Array.from({ length: 8 }, () => ensureStreams(test.bus, definitions)));
    expect(all.flat()).toContain('created');
  });

  it('says that retention cannot be changed', async () => {
    await ensureStreams(test.bus, [jobs('FIXED')]);
    const changed = jobs('FIXED', { retention: 'limits', discard: 'old', maxAgeMs: 3_600_000 });
    await expect(ensureStreams(test.bus, [changed])).rejects.toThrow(/FIXED has workqueue retention/);
  });

  it('takes advisories of the server as subjects', async () => {
    const subjects = ['$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>'];
    const definition = jobs('ADVISORIES', {
      subjects,
      retention: 'limits',
      discard: 'old',
      maxAgeMs: 600_000,
    });
    expect(await ensureStreams(test.bus, [definition])).toEqual(['created']);
  });

  it('makes consumers that are durable, pulled and acknowledged one by one', async () => {
    await ensureStreams(test.bus, [jobs('CONSUMED')]);
    const definition = worker('CONSUMED', { filterSubject: 'jobs.consumed.a' });
    expect(await ensureConsumers(test.bus, [definition])).toEqual(['created']);
    expect(await ensureConsumers(test.bus, [definition])).toEqual(['unchanged']);
    expect(await ensureConsumers(test.bus, [{ ...definition, ackWaitMs: 10_000 }])).toEqual(['updated']);
    const manager = await test.bus.nc.jetstreamManager();
    const { config } = await manager.consumers.info('CONSUMED', 'worker');
    expect(config).toMatchObject({
      ack_policy: 'explicit',
      ack_wait: 10e9,
      filter_subject: 'jobs.consumed.a',
      max_ack_pending: 100,
    });
    expect(config.deliver_subject).toBeUndefined();
  });
});

describe('publishing', () => {
  const publisher = () => createPublisher(test.bus, { timeoutMs: 5_000 });

  it('is acknowledged with the sequence, and once per id', async () => {
    await ensureStreams(test.bus, [jobs('PUBLISHED')]);
    const message = { subject: 'jobs.published.a', id: 'one', data: { requestId: '1' } };
    const first = await publisher().publish(message);
    expect(first).toEqual({ stream: 'PUBLISHED', sequence: 1, duplicate: false });
    expect(await publisher().publish(message)).toMatchObject({ sequence: 1, duplicate: true });
    const manager = await test.bus.nc.jetstreamManager();
    const stored = await manager.streams.getMessage('PUBLISHED', { seq: 1 });
    expect(stored.json()).toEqual({ requestId: '1' });
    expect(stored.header.get('Nats-Msg-Id')).toBe('one');
  });

  it('goes on without waiting for the one before', async () => {
    await ensureStreams(test.bus, [jobs('PIPELINED')]);
    const { publish } = publisher();
    const numbers = Array.from({ length: 2_000 }, (_, number) => number);
    const results = await Promise.all(
      numbers.map((number) => publish({ subject: 'jobs.pipelined.a', id: `${number}`, data: `${number}` })),
    );
    expect(results.map(({ sequence }) => sequence)).toEqual(numbers.map((number) => number + 1));
  });

  it.each([
    ['no stream for the subject', { subject: 'jobs.nowhere.a', id: '1', data: 'x' }, 'unavailable'],
    ['a subject that would break the protocol', { subject: 'a b', id: '1', data: 'x' }, 'refused'],
    ['an id with a line break', { subject: 'jobs.errors.a', id: 'a\r\nb', data: 'x' }, 'refused'],
    ['an empty id', { subject: 'jobs.errors.a', id: '', data: 'x' }, 'refused'],
    [
      'more than the bus carries',
      { subject: 'jobs.errors.a', id: '1', data: 'x'.repeat(1_048_577) },
      'too-large',
    ],
    [
      'more than the stream takes',
      { subject: 'jobs.errors.a', id: '2', data: 'x'.repeat(5_000) },
      'too-large',
    ],
  ])('with %s is refused with a code', async (_what, message, code) => {
    await ensureStreams(test.bus, [jobs('ERRORS', { maxMessageBytes: 4_096 })]);
    const error = await rejection(publisher().publish(message));
    expect(error).toBeInstanceOf(JetStreamError);
    expect(error).toMatchObject({ code, stored: 'no', subject: message.subject });
  });

  it('to a full queue is refused as full, and works again when there is room', async () => {
    await ensureStreams(test.bus, [jobs('FULL', { maxBytes: 2_048 })]);
    const { publish } = publisher();
    let error: unknown;
    for (let number = 0; number < 50 && error === undefined; number += 1) {
      const message = { subject: 'jobs.full.a', id: `${number}`, data: 'x'.repeat(200) };
      error = await publish(message).then(
        () => undefined,
        (reason) => reason,
      );
    }
    expect(error).toMatchObject({ code: 'full', stored: 'no' });
    const manager = await test.bus.nc.jetstreamManager();
    await manager.streams.purge('FULL');
    expect(await publish({ subject: 'jobs.full.a', id: 'after', data: 'x' })).toMatchObject({
      duplicate: false,
    });
  });

  it('is told apart from an answer that is no acknowledgement', async () => {
    test.bus.nc.subscribe('jobs.impostor', { callback: (_error, message) => void message.respond('hi') });
    const error = await rejection(publisher().publish({ subject: 'jobs.impostor', id: '1', data: 'x' }));
    expect(error).toMatchObject({ code: 'refused', stored: 'unknown' });
  });

  it('fails at once while the server is away, and keeps what was acknowledged', async () => {
    await ensureStreams(test.bus, [jobs('DURABLE')]);
    const { publish } = publisher();
    await publish({ subject: 'jobs.durable.a', id: '1', data: 'x' });
    await nats.kill();
    while (test.bus.isConnected()) await new Promise(setImmediate);
    const error = await rejection(publish({ subject: 'jobs.durable.a', id: '2', data: 'x' }));
    expect(error).toMatchObject({ code: 'unavailable', stored: 'no' });
    await nats.restart();
    const retry = async () => {
      for (;;) {
        const result = await publish({ subject: 'jobs.durable.a', id: '2', data: 'x' }).catch(
          () => undefined,
        );
        if (result !== undefined) return result;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    expect((await retry()).sequence).toBe(2);
    expect(await publish({ subject: 'jobs.durable.a', id: '1', data: 'x' })).toMatchObject({
      duplicate: true,
    });
  });
});
