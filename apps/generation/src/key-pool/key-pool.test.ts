import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeyPool, type KeyPool, type KeyPoolOptions } from './key-pool.ts';
import type { SubscriberKey } from './make-key.ts';

/** Makes keys when the test says so, and remembers how many are under way. */
function heldMaker() {
  const underWay: { resolve(key: SubscriberKey): void; reject(error: unknown): void }[] = [];
  let made = 0;
  return {
    underWay: () => underWay.length,
    make: () => {
      const { promise, resolve, reject } = Promise.withResolvers<SubscriberKey>();
      underWay.push({ resolve, reject });
      return promise;
    },
    async finish() {
      made += 1;
      const key = { spki: Uint8Array.of(made), pkcs8: Uint8Array.of(made, made) };
      underWay.shift()?.resolve(key);
      await vi.advanceTimersByTimeAsync(0);
      return key;
    },
    async fail(error: Error) {
      underWay.shift()?.reject(error);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const options = (): KeyPoolOptions => ({
  size: 2,
  parallel: 2,
  retryMs: 1_000,
  make: maker.make,
  makeAhead: maker.make,
  onFault: (error) => void faults.push(error),
});

let maker: ReturnType<typeof heldMaker>;
let pool: KeyPool;
const faults: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  maker = heldMaker();
  faults.length = 0;
  pool = createKeyPool(options());
});

afterEach(() => {
  vi.useRealTimers();
});

async function fill() {
  pool.start();
  await maker.finish();
  await maker.finish();
}

describe('the key pool', () => {
  it('makes keys ahead one at a time after the start, up to its size', async () => {
    expect(maker.underWay()).toBe(0);
    pool.start();
    expect(maker.underWay()).toBe(1);
    await maker.finish();
    expect(maker.underWay()).toBe(1);
    await maker.finish();
    expect({ underWay: maker.underWay(), ready: pool.ready() }).toEqual({ underWay: 0, ready: 2 });
  });

  it('hands every key out once', async () => {
    await fill();
    const [one, two] = [await pool.take(), await pool.take()];
    expect(one).not.toBe(two);
    const third = pool.take();
    expect(await Promise.race([third, 'waits'])).toBe('waits');
  });

  it('uses all cores for jobs that wait, and no more', () => {
    for (let job = 0; job < 5; job++) void pool.take();
    expect(maker.underWay()).toBe(2);
  });

  it('makes for waiting jobs at once, whether or not it was started', async () => {
    const key = pool.take();
    expect(await maker.finish()).toBe(await key);
  });

  it('makes another ahead for one that was taken', async () => {
    await fill();
    expect(maker.underWay()).toBe(0);
    await pool.take();
    expect(maker.underWay()).toBe(1);
    await maker.finish();
    expect({ underWay: maker.underWay(), ready: pool.ready() }).toEqual({ underWay: 0, ready: 2 });
  });

  it('is filled again, to its size, once half of the keys are used', async () => {
    const larger = createKeyPool({ ...options(), size: 4 });
    larger.start();
    for (let key = 0; key < 4; key++) await maker.finish();
    await larger.take();
    expect({ underWay: maker.underWay(), ready: larger.ready() }).toEqual({ underWay: 0, ready: 3 });
    await larger.take();
    expect(maker.underWay()).toBe(1);
    await maker.finish();
    expect({ underWay: maker.underWay(), ready: larger.ready() }).toEqual({ underWay: 1, ready: 3 });
    await maker.finish();
    expect({ underWay: maker.underWay(), ready: larger.ready() }).toEqual({ underWay: 0, ready: 4 });
  });

  it('gives the job that comes meanwhile the first key that is ready, and keeps the other', async () => {
    pool.start();
    const job = pool.take();
    expect(maker.underWay()).toBe(2);
    expect(await maker.finish()).toBe(await job);
    const other = await maker.finish();
    expect(pool.ready()).toBe(1);
    expect(await pool.take()).toBe(other);
  });

  it('tells the job whose key could not be made, and serves the next', async () => {
    const [doomed, lucky] = [pool.take(), pool.take()];
    const failed = expect(doomed).rejects.toThrow('no entropy');
    await maker.fail(new Error('no entropy'));
    await failed;
    expect(await maker.finish()).toBe(await lucky);
  });

  it('reports a key that could not be made ahead, and tries again after a while', async () => {
    pool.start();
    await maker.fail(new Error('no entropy'));
    await vi.advanceTimersByTimeAsync(999);
    expect({ faults: faults.length, underWay: maker.underWay() }).toEqual({ faults: 1, underWay: 0 });
    await vi.advanceTimersByTimeAsync(1);
    expect(maker.underWay()).toBe(1);
  });

  it('wipes what is left when it stops, and refuses who waits', async () => {
    await fill();
    const ready = await pool.take();
    const waiting = [pool.take(), pool.take()];
    const refused = expect(waiting[1]).rejects.toThrow('stopped');
    const left = await waiting[0];
    const stopping = pool.stop();
    await refused;
    const late = [await maker.finish(), await maker.finish()];
    await stopping;
    // Handed out keys belong to their jobs.
    expect([...(ready?.pkcs8 ?? [])]).toEqual([1, 1]);
    expect([...(left?.pkcs8 ?? [])]).toEqual([2, 2]);
    for (const { pkcs8 } of late) expect([...pkcs8]).toEqual([0, 0]);
    await expect(pool.take()).rejects.toThrow('stopped');
  });

  it('of size nothing makes keys on demand only', async () => {
    const empty = createKeyPool({ ...options(), size: 0 });
    empty.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(maker.underWay()).toBe(0);
    const key = empty.take();
    expect(await maker.finish()).toBe(await key);
  });
});
