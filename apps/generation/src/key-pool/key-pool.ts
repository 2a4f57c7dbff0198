import type { KeyPoolMetrics } from './key-pool-metrics.ts';
import type { SubscriberKey } from './make-key.ts';

export interface KeyPoolOptions {
  /** Keys kept ready at most. */
  readonly size: number;
  /** Keys made at once when jobs wait: the number of cores. */
  readonly parallel: number;
  /** Quiet time after the last job before keys are made ahead. */
  readonly quietMs?: number;
  /** The same after the start, when the other services on the machine start too. */
  readonly startDelayMs?: number;
  readonly make: () => Promise<SubscriberKey>;
  readonly metrics?: KeyPoolMetrics | undefined;
  readonly onFault: (error: unknown) => void;
}

export interface KeyPool {
  /** A key for one certificate; a ready one, else the next that is made. Rejects when making it fails. */
  take(): Promise<SubscriberKey>;
  /** Tells the pool that a job is under way: no key is made ahead until it is disposed of. */
  working(): Disposable;
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
 * Keys made ahead, in memory only, each handed out once. Keys are made ahead one at a time and only while no job is
 * under way, so that they never take a core from a job; when the pool is empty the jobs in flight use
 * all cores. A key that is being made ahead when a job comes is the job's.
 */
export function createKeyPool(options: KeyPoolOptions): KeyPool {
  const { size, parallel, make, metrics, onFault, quietMs = 250, startDelayMs = 2_000 } = options;
  const ready: SubscriberKey[] = [];
  const waiting: Waiter[] = [];
  const making = new Set<Promise<void>>();
  let jobs = 0;
  let running = false;
  let stopped = false;
  let quietTimer: NodeJS.Timeout | undefined;

  const makeOne = async (): Promise<boolean> => {
    const startedAt = performance.now();
    try {
      const key = await make();
      metrics?.made((performance.now() - startedAt) / 1000);
      const waiter = waiting.shift();
      if (waiter) waiter.resolve(key);
      else if (ready.length < size && !stopped) ready.push(key);
      else key.pkcs8.fill(0);
      return true;
    } catch (error) {
      const waiter = waiting.shift();
      if (waiter) waiter.reject(error);
      else onFault(error);
      return false;
    } finally {
      report();
    }
  };
  const begin = () => {
    const work: Promise<void> = makeOne().then((isMade) => {
      making.delete(work);
      serveWaiting();
      // After a failure the next quiet time tries again, not a loop.
      if (isMade) makeAhead();
    });
    making.add(work);
  };
  const serveWaiting = () => {
    while (making.size < Math.min(parallel, waiting.length)) begin();
  };
  const isQuiet = () => running && jobs === 0 && waiting.length === 0 && quietTimer === undefined;
  const makeAhead = () => {
    if (isQuiet() && making.size === 0 && ready.length < size) begin();
  };
  const waitForQuiet = (delayMs: number) => {
    clearTimeout(quietTimer);
    quietTimer = setTimeout(() => {
      quietTimer = undefined;
      makeAhead();
    }, delayMs);
    quietTimer.unref();
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
        return Promise.resolve(key);
      }
      const { promise, resolve, reject } = Promise.withResolvers<SubscriberKey>();
      waiting.push({ resolve, reject });
      serveWaiting();
      report();
      return promise;
    },
    working() {
      jobs += 1;
      let over = false;
      return {
        [Symbol.dispose]() {
          if (over) return;
          over = true;
          jobs -= 1;
          if (jobs === 0 && running) waitForQuiet(quietMs);
        },
      };
    },
    start() {
      running = true;
      waitForQuiet(startDelayMs);
    },
    async stop() {
      stopped = true;
      running = false;
      clearTimeout(quietTimer);
      for (const { reject } of waiting.splice(0)) reject(new Error('the key pool is stopped'));
      await Promise.allSettled(making);
      for (const { pkcs8 } of ready.splice(0)) pkcs8.fill(0);
      report();
    },
  };
}
