import type { KeyPoolMetrics } from './key-pool-metrics.ts';
import type { SubscriberKey } from './make-key.ts';

export interface KeyPoolOptions {
  /** Keys kept ready at most; made ahead again once half of them are used. */
  readonly size: number;
  /** Keys made at once when jobs wait: the number of cores. */
  readonly parallel: number;
  /** After a key could not be made ahead. */
  readonly retryMs?: number;
  /** For a job that waits. */
  readonly make: () => Promise<SubscriberKey>;
  /** For later, by what leaves the cores to others. */
  readonly makeAhead: () => Promise<SubscriberKey>;
  readonly metrics?: KeyPoolMetrics | undefined;
  readonly onFault: (error: unknown) => void;
}

export interface KeyPool {
  /** A key for one certificate; a ready one, else the next that is made. Rejects when making it fails. */
  take(): Promise<SubscriberKey>;
  /** Begins to make keys ahead. */
  start(): void;
  /** Ends it, rejects those still waiting and wipes the keys that are left. */
  stop(): Promise<void>;
  ready(): number;
}

interface Waiter {
  resolve(key: SubscriberKey): void;
  reject(error: unknown): void;
}

/**
 * Keys made ahead, in memory only, each handed out once. They are made one at a time, by what takes a core only while
 * nobody else wants it, from half of the size on until it is reached: so a short burst has the cores for itself, and
 * what makes them need not be at hand for every single one. When the pool is empty the jobs in flight use all cores. A
 * job takes the first key that is ready: its own, or one that was being made ahead when it came; the other is kept.
 */
export function createKeyPool(options: KeyPoolOptions): KeyPool {
  const { size, parallel, metrics, onFault, retryMs = 1_000 } = options;
  const ready: SubscriberKey[] = [];
  const waiting: Waiter[] = [];
  const urgent = new Set<Promise<void>>();
  let ahead: Promise<void> | undefined;
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
  /** @returns whether it was made */
  const makeOne = async (make: () => Promise<SubscriberKey>, tell: (error: unknown) => void) => {
    const startedAt = performance.now();
    try {
      const key = await make();
      metrics?.made((performance.now() - startedAt) / 1000);
      store(key);
      return true;
    } catch (error) {
      tell(error);
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
    if (!running || !isFilling || ahead !== undefined || retry !== undefined) return;
    ahead = makeOne(options.makeAhead, onFault).then((isMade) => {
      ahead = undefined;
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
      await Promise.allSettled([...urgent, ahead]);
      for (const { pkcs8 } of ready.splice(0)) pkcs8.fill(0);
      report();
    },
  };
}
