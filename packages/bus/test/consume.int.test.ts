import { type TestNats, testNats } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsumeOptions,
  connectBus,
  consume,
  createPublisher,
  type Delivery,
  ensureConsumers,
  ensureStreams,
  type Incoming,
  type Publisher,
  removeAcknowledged,
} from '../src/index.ts';
import { crash, eventually, type TestBus, testBus } from './support.ts';

interface Job {
  n: number;
}

let nats: TestNats;
let test: TestBus;
let publisher: Publisher;

beforeAll(async () => {
  nats = await testNats();
  test = await testBus(nats.url, 'worker');
  publisher = createPublisher(test.bus);
});

afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
  await nats?.[Symbol.asyncDispose]();
});

const parseJob = (json: unknown): Job => {
  const { n } = json as Job;
  if (typeof n !== 'number') throw new TypeError('n must be a number');
  return { n };
};

/** A queue of its own and a way to work on it. */
async function queue(name: string, ackWaitMs = 30_000) {
  await eventually(() => test.bus.isConnected(), 'connected');
  const subjects = [`jobs.${name}`];
  const stream = { retention: 'workqueue', discard: 'new', maxAgeMs: 0, maxBytes: 1e7 } as const;
  await ensureStreams(test.bus, [{ name, subjects, duplicateWindowMs: 600_000, ...stream }]);
  const consumer = { stream: name, durable: 'worker', ackWaitMs, maxDeliver: -1, maxAckPending: 1_000 };
  await ensureConsumers(test.bus, [consumer]);
  const manager = await test.bus.nc.jetstreamManager();
  const errors: string[] = [];
  return {
    errors,
    publish: (n: unknown, id = String(n)) =>
      publisher.publish({ subject: `jobs.${name}`, id, data: { n } as object }),
    state: () => manager.consumers.info(name, 'worker'),
    left: async () => (await manager.streams.info(name)).state.messages,
    work: (options: Partial<ConsumeOptions<Job>> & Pick<ConsumeOptions<Job>, 'handle'>, bus = test.bus) =>
      consume<Job>(bus, {
        stream: name,
        durable: 'worker',
        slots: 4,
        ackWaitMs,
        parse: parseJob,
        onInvalid: () => undefined,
        onError: (error) => errors.push(error.message),
        retryDelayMs: () => 10,
        ...options,
      }),
  };
}

/** A handler that runs until the test lets it go. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, wait: () => promise };
}

describe('a consumer', () => {
  it('hands every message to the handler and acknowledges it', async () => {
    const jobs = await queue('EACH');
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
    const jobs = await queue('SLOTS');
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
    const jobs = await queue('LONG', 600);
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
    const jobs = await queue('HANGS', 300);
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
    const jobs = await queue('AGAIN');
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
    const jobs = await queue('DELAYED');
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
    const jobs = await queue('TERMINATED');
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
    const jobs = await queue('INVALID');
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
    const jobs = await queue('STOPPED');
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
    const { num_ack_pending, ack_floor } = await jobs.state();
    expect({ num_ack_pending, acknowledged: ack_floor.stream_seq }).toEqual({
      num_ack_pending: 0,
      acknowledged: 4,
    });
    expect(await jobs.left()).toBe(2);
  });
});

describe('nats-server killed with SIGKILL', () => {
  it('costs no message, however often, and the loop goes on by itself', async () => {
    const jobs = await queue('SURVIVES', 1_000);
    const done = new Map<number, number>();
    const consuming = jobs.work({
      handle: async ({ body }) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        done.set(body.n, (done.get(body.n) ?? 0) + 1);
        return { outcome: 'ack' };
      },
    });
    const total = 300;
    for (let n = 0; n < total; n += 1) {
      if (n % 100 === 50) await crash(nats);
      // The same id again after an unknown outcome: the stream stores it once.
      await eventually(() => jobs.publish(n).catch(() => undefined), `message ${n} is stored`);
    }
    await eventually(() => done.size === total, 'every message was worked on');
    await eventually(async () => {
      const state = await jobs.state().catch(() => undefined);
      return state?.num_pending === 0 && state.num_ack_pending === 0;
    }, 'every message is acknowledged');
    await consuming.stop();
    await removeAcknowledged(test.bus, { stream: 'SURVIVES', durable: 'worker' });
    expect(await jobs.left()).toBe(0);
  });

  it('while a handler runs means another delivery at worst', async () => {
    const jobs = await queue('INTERRUPTED', 1_000);
    const held = gate();
    const counts: number[] = [];
    const consuming = jobs.work({
      handle: async ({ deliveryCount }) => {
        counts.push(deliveryCount);
        if (counts.length === 1) await held.wait();
        return { outcome: 'ack' };
      },
    });
    await jobs.publish(1);
    await eventually(() => counts.length === 1, 'it runs');
    await nats.kill();
    held.open();
    await nats.restart();
    await eventually(async () => {
      const state = await jobs.state().catch(() => undefined);
      return state?.num_pending === 0 && state.num_ack_pending === 0;
    }, 'acknowledged in the end');
    await consuming.stop();
    expect(counts.length).toBeLessThanOrEqual(2);
  });

  it('before the consumer starts does not keep it from starting', async () => {
    const jobs = await queue('LATE');
    await jobs.publish(1);
    const late = await connectBus({ servers: nats.url, name: 'late', reconnectWaitMs: 50 });
    await nats.kill();
    let deliveries = 0;
    const handle = () => {
      deliveries += 1;
      return { outcome: 'ack' } as const;
    };
    const consuming = jobs.work({ handle }, late);
    await nats.restart();
    await eventually(() => deliveries === 1, 'it was delivered');
    await consuming.stop();
    await late.close();
  });

  it('and a stream that is gone is reported once, and taken up again when it is back', async () => {
    const jobs = await queue('GONE');
    const manager = await test.bus.nc.jetstreamManager();
    let deliveries = 0;
    const consuming = jobs.work({
      handle: () => {
        deliveries += 1;
        return { outcome: 'ack' };
      },
    });
    await manager.streams.delete('GONE');
    await eventually(() => jobs.errors.length > 0, 'it was reported');
    const again = await queue('GONE');
    await again.publish(1);
    await eventually(() => deliveries === 1, 'it was delivered');
    await consuming.stop();
    expect(jobs.errors.length).toBeLessThanOrEqual(2);
  });
});
