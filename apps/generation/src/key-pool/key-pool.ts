import type { KeyPoolMetrics } from './key-pool-metrics.ts';
import type { SubscriberKey } from './make-key.ts';

export interface KeyPoolOptions {
  /** Maximum number of ready keys; refilled once half of them are used. */
  readonly size: number;
  /** Keys generated concurrently for waiting jobs: the number of cores. */
  readonly parallel: number;
  /** Pause after a failed refill. */
  readonly retryMs?: number;
  /** Generates a key for a waiting job. */
  readonly make: () => Promise<SubscriberKey>;
  /** Generates a key for the pool at low priority. */
  readonly makeAhead: () => Promise<SubscriberKey>;
  readonly metrics?: KeyPoolMetrics | undefined;
  readonly onFault: (error: unknown) => void;
}

export interface KeyPool {
  /** Takes a key for one certificate: a ready one, otherwise the next. Rejects when generation fails. */
  take(): Promise<SubscriberKey>;
  /** Starts to fill the pool. */
  start(): void;
  /** Stops, rejects waiting jobs and wipes the remaining keys. */
  stop(): Promise<void>;
  ready(): number;
}

interface Waiter {
  resolve(key: SubscriberKey): void;
  reject(error: unknown): void;
}

/**
 * Pool of keys in memory, each handed out once. It is refilled from half of its size, one key at a time and at low
 * priority. A short burst therefore has all cores, and the background thread is not needed for every key. When the pool
 * is empty, waiting jobs use all cores. A job takes the first key that is ready: its own, or one that was being
 * prepared; the other is kept.
 */
export function createKeyPool(options: KeyPoolOptions): KeyPool {
  const { size, parallel, metrics, onFault, retryMs = 1_000 } = options;
  const ready: SubscriberKey[] = [];
  const waiting: Waiter[] = [];
  const urgent = new Set<Promise<void>>();
  let refilling: Promise<void> | undefined;
  let isFilling = true;
  let running = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  const store = (key: SubscriberKey) => {
    const waiter = waiting.shift();
    if (waiter) waiter.resolve(key);
    else if (ready.length < size && !stopped) ready.push(key);
    else key.pkcs8.fill(0);
  };
  /**
   * Generates one key.
   * @returns whether it succeeded
   */
  const makeOne = async (make: () => Promise<SubscriberKey>, onError: (error: unknown) => void) => {
    const startedAt = performance.now();
    try {
      const key = await make();
      metrics?.made((performance.now() - startedAt) / 1000);
      store(key);
      return true;
    } catch (error) {
      onError(error);
      return false;
    } finally {
      report();
    }
  };
  const failWaiting = (error: unknown) => {
    const waiter = waiting.shift();
    if (waiter) waiter.reject(error);
    else onFault(error);
  };
  const makeUrgent = () => {
    const work: Promise<void> = makeOne(options.make, failWaiting).then(() => {
      urgent.delete(work);
      serveWaiting();
    });
    urgent.add(work);
  };
  const serveWaiting = () => {
    while (urgent.size < Math.min(parallel, waiting.length)) makeUrgent();
  };
  const makeAhead = () => {
    if (ready.length >= size) isFilling = false;
    else if (ready.length <= size / 2) isFilling = true;
    if (!running || !isFilling || refilling !== undefined || retry !== undefined) return;
    refilling = makeOne(options.makeAhead, onFault).then((isMade) => {
      refilling = undefined;
      if (isMade) makeAhead();
      else retryLater();
    });
  };
  const retryLater = () => {
    if (!running) return;
    retry = setTimeout(() => {
      retry = undefined;
      makeAhead();
    }, retryMs).unref();
  };
  const report = () => metrics?.level({ ready: ready.length, waiting: waiting.length });

  return {
    ready: () => ready.length,
    take() {
      if (stopped) return Promise.reject(new Error('the key pool is stopped'));
      const key = ready.shift();
      metrics?.taken(key ? 'pool' : 'fresh');
      if (key) {
        report();
        makeAhead();
        return Promise.resolve(key);
      }
      const { promise, resolve, reject } = Promise.withResolvers<SubscriberKey>();
      waiting.push({ resolve, reject });
      serveWaiting();
      report();
      return promise;
    },
    start() {
      running = true;
      makeAhead();
    },
    async stop() {
      stopped = true;
      running = false;
      clearTimeout(retry);
      for (const { reject } of waiting.splice(0)) reject(new Error('the key pool is stopped'));
      await Promise.allSettled([...urgent, refilling]);
      for (const { pkcs8 } of ready.splice(0)) pkcs8.fill(0);
      report();
    },
  };
}
