import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import {
  consume,
  createPublisher,
  type Delivery,
  ensureConsumers,
  ensureStreams,
  type Incoming,
  removeAcknowledged,
} from '../src/index.ts';
import { gate, type Job, parseJob, queue } from './queue.ts';
import { eventually, testBus } from './support.ts';

const nats = await disposeAfterAll(testNats());
const test = await disposeAfterAll(testBus(nats.url, 'worker'));
const publisher = createPublisher(test.bus);

describe('a consumer', () => {
  it('hands every message to the handler and acknowledges it', async () => {
    const jobs = await queue(test.bus, 'EACH');
    const seen: Incoming<Job>[] = [];
    const consuming = jobs.work({
      handle: (message) => {
        seen.push(message);
        return { outcome: 'ack' };
      },
    });
    await Promise.all(Array.from({ length: 100 }, (_, n) => jobs.publish(n)));
    await eventually(async () => (await jobs.left()) === 0, 'the queue is empty');
    await consuming.stop();
    expect(seen.map(({ body }) => body.n).toSorted((a, b) => a - b)).toEqual([...Array(100).keys()]);
    expect(seen[0]).toMatchObject({ id: '0', stream: 'EACH', deliveryCount: 1, subject: 'jobs.EACH' });
    expect(Math.abs((seen[0]?.publishedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('asks for no more than it can work on, so that another copy gets the rest', async () => {
    const jobs = await queue(test.bus, 'SLOTS');
    const held = gate();
    const handle = async () => {
      await held.wait();
      return { outcome: 'ack' } as const;
    };
    const first = jobs.work({ handle, slots: 3 });
    for (let n = 0; n < 8; n += 1) await jobs.publish(n);
    await eventually(() => first.running() === 3, 'the first copy is full');
    const second = jobs.work({ handle, slots: 3 });
    await eventually(() => second.running() === 3, 'the second copy is full');
    // Long enough for every timer of the loop to have run.
    const full = performance.now();
    await eventually(() => performance.now() - full > 1_200, 'time passes');
    expect(await jobs.state()).toMatchObject({ num_pending: 2, num_ack_pending: 6 });
    held.open();
    await eventually(async () => (await jobs.left()) === 0, 'the queue is empty');
    await Promise.all([first.stop(), second.stop()]);
  });

  it('gives signs of life, so that a long job is delivered once', async () => {
    const jobs = await queue(test.bus, 'LONG', 600);
    const held = gate();
    let deliveries = 0;
    const consuming = jobs.work({
      handle: async () => {
        deliveries += 1;
        await held.wait();
        return { outcome: 'ack' };
      },
    });
    await jobs.publish(1);
    const start = performance.now();
    await eventually(() => performance.now() - start > 2_000, 'several times ack_wait');
    expect((await jobs.state()).num_redelivered).toBe(0);
    held.open();
    await eventually(async () => (await jobs.left()) === 0, 'acknowledged');
    await consuming.stop();
    expect(deliveries).toBe(1);
  });

  it('lets go of a job that hangs, and says so', async () => {
    const jobs = await queue(test.bus, 'HANGS', 300);
    const held = gate();
    const counts: number[] = [];
    const consuming = jobs.work({
      maxRunMs: 100,
      handle: async ({ deliveryCount }) => {
        counts.push(deliveryCount);
        if (deliveryCount === 1) await held.wait();
        return { outcome: 'ack' };
      },
    });
    await jobs.publish(1);
    await eventually(() => counts.includes(2), 'it was delivered again');
    expect(jobs.errors).toContain('a handler of HANGS/worker hangs');
    held.open();
    await consuming.stop();
  });

  it('delivers again what was given back or failed, and reports the failure', async () => {
    const jobs = await queue(test.bus, 'AGAIN');
    const counts: number[] = [];
    const consuming = jobs.work({
      handle: ({ deliveryCount }) => {
        counts.push(deliveryCount);
        if (deliveryCount === 1) return { outcome: 'nak', delayMs: 1 };
        if (deliveryCount === 2) throw new Error('out of luck');
        return { outcome: 'ack' };
      },
    });
    await jobs.publish(1);
    await eventually(async () => (await jobs.left()) === 0, 'acknowledged');
    await consuming.stop();
    expect(counts).toEqual([1, 2, 3]);
    expect(jobs.errors).toEqual(['out of luck']);
  });

  it('waits as long as asked before it delivers again', async () => {
    const jobs = await queue(test.bus, 'DELAYED');
    const times: number[] = [];
    const consuming = jobs.work({
      handle: () => {
        times.push(performance.now());
        return times.length === 1 ? { outcome: 'nak', delayMs: 400 } : { outcome: 'ack' };
      },
    });
    await jobs.publish(1);
    await eventually(() => times.length === 2, 'delivered again');
    await consuming.stop();
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(390);
  });

  it('never delivers again what was terminated', async () => {
    const jobs = await queue(test.bus, 'TERMINATED');
    let deliveries = 0;
    const consuming = jobs.work({
      handle: () => {
        deliveries += 1;
        return { outcome: 'term' };
      },
    });
    await jobs.publish(1);
    await eventually(async () => (await jobs.state()).num_ack_pending === 0 && deliveries > 0, 'terminated');
    await consuming.stop();
    expect(deliveries).toBe(1);
  });

  it('puts invalid messages away before it terminates them', async () => {
    const jobs = await queue(test.bus, 'INVALID');
    const away: [Delivery, string][] = [];
    let attempts = 0;
    const consuming = jobs.work({
      handle: () => ({ outcome: 'ack' }),
      onInvalid: (delivery, error) => {
        attempts += 1;
        if (attempts === 1) throw new Error('no room');
        away.push([delivery, error.message]);
      },
    });
    await jobs.publish('text', 'bad');
    await publisher.publish({ subject: 'jobs.INVALID', id: 'worse', data: '{"n":' });
    await eventually(
      async () => away.length === 2 && (await jobs.state()).num_ack_pending === 0,
      'both away',
    );
    await consuming.stop();
    expect(away.map(([{ id }]) => id).toSorted()).toEqual(['bad', 'worse']);
    expect(away.find(([{ id }]) => id === 'bad')?.[1]).toBe('n must be a number');
    expect(jobs.errors).toEqual(['no room']);
  });
});

describe('removing what was acknowledged', () => {
  it('leaves alone what waits or runs, and what other consumers take', async () => {
    const subjects = ['jobs.two.a', 'jobs.two.b'];
    const stream = { retention: 'workqueue', discard: 'new', maxAgeMs: 0, maxBytes: 1e7 } as const;
    await ensureStreams(test.bus, [{ name: 'TWO', subjects, duplicateWindowMs: 600_000, ...stream }]);
    const common = { stream: 'TWO', ackWaitMs: 30_000, maxDeliver: -1, maxAckPending: 10 };
    await ensureConsumers(test.bus, [
      { ...common, durable: 'a', filterSubject: 'jobs.two.a' },
      { ...common, durable: 'b', filterSubject: 'jobs.two.b' },
    ]);
    for (const [index, subject] of [...subjects, ...subjects].entries()) {
      await publisher.publish({ subject, id: `${index}`, data: { n: index } });
    }
    const seen: number[] = [];
    const handle = ({ body }: Incoming<Job>) => {
      seen.push(body.n);
      return { outcome: 'ack' } as const;
    };
    const options = { parse: parseJob, onInvalid: () => undefined, onError: () => undefined };
    const consuming = consume<Job>(test.bus, { ...common, ...options, durable: 'a', slots: 1, handle });
    await eventually(() => seen.length === 2, 'all of one consumer');
    await consuming.stop();
    expect(await removeAcknowledged(test.bus, { stream: 'TWO', durable: 'a' })).toBe(0);
    const manager = await test.bus.nc.jetstreamManager();
    expect((await manager.streams.info('TWO')).state.messages).toBe(2);
  });

  it('is refused where messages stay for their age', async () => {
    const stream = { retention: 'limits', discard: 'old', maxAgeMs: 600_000, maxBytes: 1e6 } as const;
    const definition = { name: 'AGES', subjects: ['ages'], duplicateWindowMs: 600_000, ...stream };
    await ensureStreams(test.bus, [definition]);
    await expect(removeAcknowledged(test.bus, { stream: 'AGES', durable: 'x' })).rejects.toThrow(TypeError);
  });
});

describe('stopping a consumer', () => {
  it('waits for running handlers and for nats-server to have their answers', async () => {
    const jobs = await queue(test.bus, 'STOPPED');
    const held = gate();
    const consuming = jobs.work({
      handle: async () => {
        await held.wait();
        return { outcome: 'ack' };
      },
    });
    for (let n = 0; n < 6; n += 1) await jobs.publish(n);
    await eventually(() => consuming.running() === 4, 'all slots run');
    let stopped = false;
    const stopping = consuming.stop().then(() => {
      stopped = true;
    });
    for (let trip = 0; trip < 20; trip += 1) await test.bus.nc.flush();
    expect(stopped).toBe(false);
    held.open();
    await stopping;
    // nats-server has the answers, and works through those of a consumer beside the connection's other traffic.
    const worked = async () => {
      const { num_ack_pending, ack_floor } = await jobs.state();
      return num_ack_pending === 0 && ack_floor.stream_seq === 4 && (await jobs.left()) === 2;
    };
    await eventually(worked, 'four are acknowledged, two are left and none is pending');
    expect((await jobs.state()).num_redelivered).toBe(0);
  });
});
