import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type KeyAlgorithm, keyAlgorithms } from '@rubrica/pki';
import type { SubscriberKey } from './make-key.ts';

export interface BackgroundMaker {
  /** One at a time; those asked for meanwhile follow. Rejects where its thread has failed; the next key gets a new one. */
  make(algorithm: KeyAlgorithm): Promise<SubscriberKey>;
  /** Ends it; a key under way rejects. */
  close(): Promise<void>;
}

const source = new URL('./background-thread.ts', import.meta.url);

/**
 * Makes keys in a thread of the lowest priority: what is made for later takes a core only while nobody else wants it,
 * be it another service on the machine. The thread ends when no key was wanted for a while, for it costs memory.
 */
export function createBackgroundMaker({ idleMs = 2_000 } = {}): BackgroundMaker {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const worker = new Worker(source, { env: {}, execArgv: [], name: 'keys for later' });
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
      const made = once(worker, 'message', { signal: ended.signal });
      worker.postMessage(keyAlgorithms[algorithm]);
      const [key] = (await made) as [SubscriberKey];
      return key;
    } finally {
      worker.off('exit', onExit);
      idle = setTimeout(() => void end(), idleMs).unref();
    }
  }

  return {
    make(algorithm) {
      const made = last.then(() => makeNext(algorithm));
      last = made.catch(() => undefined);
      return made;
    },
    close: end,
  };
}
