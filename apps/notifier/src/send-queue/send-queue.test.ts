import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';
import type { LeaseRequest, QueueItem } from './ledger.ts';
import { createSendQueue } from './send-queue.ts';

type Item = QueueItem;
type AttemptRecord = { id: string; fence: number; durationMs: number; dead?: boolean };

const roomy = { total: 8, perDestination: 2, inHandPerDestination: 3 };

/** A ledger in memory and attempts that end when the test says so. */
function setUp(due: Item[] = [], { leaseMs = 5_000, clock = { nowMs: 0 }, takesTurns = false } = {}) {
  const limits = roomy;
  const attempts: {
    id: string;
    known: string | undefined;
    end: () => void;
    fail: () => void;
    die: () => void;
  }[] = [];
  const records: string[] = [];
  const released: string[] = [];
  const requests: LeaseRequest[] = [];
  let recordFaults = 0;
  const queue = createSendQueue<Item, string, AttemptRecord>({
    ledger: {
      async leaseDue(request) {
        requests.push(request);
        const room = new Map(request.left.map(({ destination, left }) => [destination, left]));
        const taken = due.filter(({ destination }) => {
          const left = room.get(destination) ?? request.perDestination;
          room.set(destination, left - 1);
          return left > 0;
        });
        const leased = taken.slice(0, request.limit);
        for (const item of leased) due.splice(due.indexOf(item), 1);
        return leased;
      },
      async record(ended) {
        if (recordFaults-- > 0) throw new Error('no database');
        records.push(...ended.map(({ id }) => id));
        return ended.map(() => true);
      },
      async release(items) {
        released.push(...items.map(({ id }) => id));
      },
    },
    limits,
    takesTurns,
    attemptMs: 1_000,
    leaseMs,
    pollMs: 60_000,
    logger: { warn: () => undefined },
    health: {
      breaker: createBreaker({
        policy: { failures: 2, firstPauseMs: 1_000, longestPauseMs: 8_000 },
        nowMs: () => clock.nowMs,
        max: 10,
      }),
      signOf: ({ dead }) => (dead ? 'failed' : 'answered'),
    },
  });
  const attempt = (item: Item, known: string | undefined) =>
    new Promise<AttemptRecord>((resolve, reject) => {
      const end = () => resolve({ id: item.id, fence: item.fence, durationMs: 1 });
      const die = () => resolve({ id: item.id, fence: item.fence, durationMs: 1, dead: true });
      attempts.push({ id: item.id, known, end, die, fail: () => reject(new Error('broken')) });
    });
  const attemptReady = async () => {
    for await (const { item, known } of queue.ready) {
      void attempt(item, known).then(
        (record) => queue.finish(item, record),
        () => queue.finish(item, undefined),
      );
    }
  };
  void attemptReady();
  const attempted = () => attempts.map(({ id }) => id);
  const failRecords = (count: number) => {
    recordFaults = count;
  };
  return { queue, attempts, attempted, records, released, requests, failRecords };
}

const item = (id: string, destination = 'a'): Item => ({ id, destination, fence: 1 });

/** Attempts start one turn of the event loop after their item may start. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('createSendQueue', () => {
  it('claims what is due when it starts and attempts it within the limit of each destination', async () => {
    const { queue, attempted, attempts } = setUp([item('1'), item('2'), item('3'), item('4', 'b')]);
    queue.start();
    await expect.poll(attempted).toEqual(['1', '2', '4']);
    expect(queue.inHand()).toBe(4);
    attempts[0]?.end();
    await expect.poll(attempted).toEqual(['1', '2', '4', '3']);
    for (const { end } of attempts) end();
    await queue.stop();
  });

  it('lets a destination that never answers take its own room only', async () => {
    const dead = Array.from({ length: 50 }, (_, index) => item(`dead-${index}`, 'dead'));
    const { queue, attempted, attempts } = setUp([...dead, ...['1', '2', '3', '4'].map((id) => item(id))]);
    queue.start();
    await expect.poll(attempted).toEqual(['dead-0', 'dead-1', '1', '2']);
    attempts[2]?.end();
    attempts[3]?.end();
    await expect.poll(attempted).toEqual(['dead-0', 'dead-1', '1', '2', '3', '4']);
    const stopped = queue.stop();
    for (const { end } of attempts) end();
    await stopped;
  });

  it('gives back what waits for a destination that does not answer, and probes it once after a pause', async () => {
    const clock = { nowMs: 0 };
    const due = ['1', '2', '3', '4', '5'].map((id) => item(id));
    const { queue, attempted, attempts, released, requests } = setUp(due, { clock });
    queue.start();
    await expect.poll(attempted).toEqual(['1', '2']);
    attempts[0]?.die();
    await expect.poll(attempted).toEqual(['1', '2', '3']);
    attempts[1]?.die();
    attempts[2]?.die();
    await expect.poll(queue.inHand).toBe(0);
    const asked = requests.length;
    queue.nudge();
    await expect.poll(() => requests.length).toBeGreaterThan(asked);
    expect([attempted(), released]).toEqual([['1', '2', '3'], []]);
    expect(requests.at(-1)?.left).toMatchObject([{ destination: 'a', left: 0 }]);
    expect(queue.tryReserve({ destination: 'a' })).toBe(false);
    clock.nowMs = 1_000;
    queue.nudge();
    await expect.poll(attempted).toEqual(['1', '2', '3', '4']);
    queue.nudge();
    await expect.poll(() => requests.at(-1)?.left).toMatchObject([{ destination: 'a', left: 0 }]);
    attempts[3]?.end();
    await expect.poll(attempted).toEqual(['1', '2', '3', '4', '5']);
    attempts[4]?.end();
    await queue.stop();
  });

  it('ends the leases of what is in hand when its destination stops answering', async () => {
    const { queue, attempts, attempted, released } = setUp(['1', '2', '3'].map((id) => item(id)));
    queue.start();
    await expect.poll(attempted).toEqual(['1', '2']);
    for (const { die } of attempts) die();
    await expect.poll(() => released).toEqual(['3']);
    await expect.poll(queue.inHand).toBe(0);
    expect(attempted()).toEqual(['1', '2']);
    await queue.stop();
  });

  it('attempts at once what was stored as leased, with what is known of it', async () => {
    const { queue, attempts, records } = setUp();
    expect(queue.tryReserve({ destination: 'a' })).toBe(true);
    queue.enter(item('1'), 'body');
    await nextTick();
    expect(attempts).toMatchObject([{ id: '1', known: 'body' }]);
    attempts[0]?.end();
    await expect.poll(() => records).toEqual(['1']);
  });

  it('gives back at once what was stored while a stop had begun, and is not attempted yet', async () => {
    const { queue, attempted, attempts, released } = setUp();
    for (const _ of [1, 2, 3]) queue.tryReserve({ destination: 'a' });
    queue.enter(item('1'));
    queue.enter(item('2'));
    const stopped = queue.stop();
    // The stop has given back what waited, and waits for the two attempts.
    await nextTick();
    queue.enter(item('3'));
    await expect.poll(() => released).toEqual(['3']);
    for (const { end } of attempts) end();
    await stopped;
    expect(attempted()).toEqual(['1', '2']);
  });

  it('gives no more room than there is and takes it back', () => {
    const { queue } = setUp();
    expect([1, 2, 3, 4].map(() => queue.tryReserve({ destination: 'a' }))).toEqual([true, true, true, false]);
    queue.unreserve({ destination: 'a' });
    expect(queue.tryReserve({ destination: 'a' })).toBe(true);
  });

  it('reserves nothing for new work while other work is due, where work takes turns', async () => {
    const due = ['1', '2', '3', '4'].map((id) => item(id));
    const { queue, attempted, attempts } = setUp(due, { takesTurns: true });
    queue.start();
    await expect.poll(attempted).toEqual(['1', '2']);
    expect(queue.tryReserve({ destination: 'b' })).toBe(false);
    for (const ended of [1, 2, 3, 4]) {
      await expect.poll(() => attempts.length).toBeGreaterThanOrEqual(ended);
      attempts[ended - 1]?.end();
    }
    await expect.poll(() => queue.tryReserve({ destination: 'b' })).toBe(true);
    queue.unreserve({ destination: 'b' });
    await queue.stop();
  });

  it('leaves to the next lease what would not end within its lease', async () => {
    const { queue, attempted, released } = setUp([item('1')], { leaseMs: 0 });
    queue.start();
    await expect.poll(() => released).toEqual(['1']);
    expect([attempted(), queue.inHand()]).toEqual([[], 0]);
    await queue.stop();
  });

  it('records again after the database was away', async () => {
    const { queue, attempts, records, failRecords } = setUp();
    failRecords(1);
    queue.tryReserve({ destination: 'a' });
    queue.enter(item('1'));
    await nextTick();
    attempts[0]?.end();
    await expect.poll(() => records).toEqual(['1']);
  });

  it('frees the room of an attempt that broke', async () => {
    const { queue, attempts } = setUp();
    queue.tryReserve({ destination: 'a' });
    queue.enter(item('1'));
    await nextTick();
    attempts[0]?.fail();
    await expect.poll(queue.inHand).toBe(0);
  });

  it('stops when the attempts under way are recorded, and gives back what has not started', async () => {
    const { queue, attempts, attempted, records, released } = setUp(
      ['1', '2', '3', '4'].map((id) => item(id)),
    );
    queue.start();
    await expect.poll(attempted).toEqual(['1', '2']);
    const stopped = queue.stop();
    expect(queue.tryReserve({ destination: 'b' })).toBe(false);
    await expect.poll(() => released).toEqual(['3']);
    for (const { end } of attempts) end();
    await stopped;
    expect(attempted()).toEqual(['1', '2']);
    expect(records.toSorted()).toEqual(['1', '2']);
  });
});
