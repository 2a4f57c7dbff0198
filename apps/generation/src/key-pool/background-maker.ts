import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type KeyAlgorithm, keyAlgorithms } from '@rubrica/pki';
import type { SubscriberKey } from './make-key.ts';

export interface BackgroundMaker {
  /** Generates one key at a time; further calls queue. Rejects if its thread fails; the next key gets a new thread. */
  make(algorithm: KeyAlgorithm): Promise<SubscriberKey>;
  /** Ends the thread; a key in progress rejects. */
  close(): Promise<void>;
}

const threadUrl = new URL('./background-thread.ts', import.meta.url);

/**
 * Generates keys in a thread of the lowest priority: it takes a core only while no other process of the machine needs
 * it. The thread ends after an idle period, to free its memory.
 */
export function createBackgroundMaker({ idleMs = 2_000 } = {}): BackgroundMaker {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const worker = new Worker(threadUrl, { env: {}, execArgv: [], name: 'keys for later' });
    const forget = () => {
      if (thread === worker) thread = undefined;
    };
    worker.on('error', forget).on('exit', forget);
    worker.unref();
    return worker;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  async function makeNext(algorithm: KeyAlgorithm): Promise<SubscriberKey> {
    clearTimeout(idle);
    thread ??= start();
    const worker = thread;
    const ended = new AbortController();
    const onExit = () => ended.abort();
    worker.once('exit', onExit);
    try {
      const message = once(worker, 'message', { signal: ended.signal });
      worker.postMessage(keyAlgorithms[algorithm]);
      const [key] = (await message) as [SubscriberKey];
      return key;
    } finally {
      worker.off('exit', onExit);
      idle = setTimeout(() => void end(), idleMs).unref();
    }
  }

  return {
    make(algorithm) {
      const keyPromise = last.then(() => makeNext(algorithm));
      last = keyPromise.catch(() => undefined);
      return keyPromise;
    },
    close: end,
  };
}
