import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { connectBus, removeAcknowledged } from '../src/index.ts';
import { gate, queue } from './queue.ts';
import { crash, eventually, testBus } from './support.ts';

const nats = await disposeAfterAll(testNats());
const test = await disposeAfterAll(testBus(nats.url, 'worker'));

describe('nats-server killed with SIGKILL', () => {
  it('costs no message, however often, and the loop goes on by itself', async () => {
    const jobs = await queue(test.bus, 'SURVIVES', 1_000);
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
    const jobs = await queue(test.bus, 'INTERRUPTED', 1_000);
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
    const jobs = await queue(test.bus, 'LATE');
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
    const jobs = await queue(test.bus, 'GONE');
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
    const again = await queue(test.bus, 'GONE');
    await again.publish(1);
    await eventually(() => deliveries === 1, 'it was delivered');
    await consuming.stop();
    expect(jobs.errors.length).toBeLessThanOrEqual(2);
  });
});
