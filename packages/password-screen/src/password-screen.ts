import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '@rubrica/process/errors';
import type { Screened } from './screening-thread.ts';
import type { Weakness } from './weakness.ts';

export interface PasswordScreen {
  /**
   * Returns the reason why a password is easily guessed; undefined if it is strong enough.
   * @throws AppError RATE_LIMITED while another password of the same owner is screened
   * @throws AppError SERVICE_UNAVAILABLE if the check is not possible now
   */
  weaknessOf(password: string, owner: PasswordOwner): Promise<Weakness | undefined>;
  close(): Promise<void>;
}

export interface PasswordOwner {
  /** Identifies the link or the operator, so that one cannot use up the places of others. Never a token itself. */
  readonly owner: string;
  readonly ownData: readonly string[];
}

export interface ScreenOptions {
  /** Time for which an idle thread stays alive. */
  readonly idleMs?: number;
  /** Time limit of one password. */
  readonly timeoutMs?: number;
  /** Time limit of the start of the thread, which takes half a second on an idle processor. */
  readonly startTimeoutMs?: number;
  /** Maximum number of waiting passwords; more are refused. */
  readonly maxWaiting?: number;
}

interface Thread {
  readonly worker: Worker;
  /** Resolves when the thread has loaded its dictionaries. */
  readonly ready: Promise<unknown>;
}

const source = new URL('./screening-thread.ts', import.meta.url);

function createUnavailable(cause?: unknown): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5, cause });
}

/**
 * Screens passwords in a thread that the first password starts, and that ends when idle. So a gateway without claims
 * holds no dictionaries, and none of its other calls ever waits for a password. It screens one password at a time and
 * one of each owner: a single link must not fill the shared queue.
 */
export function createPasswordScreen(options: ScreenOptions = {}): PasswordScreen {
  const { idleMs = 60_000, timeoutMs = 10_000, startTimeoutMs = 30_000, maxWaiting = 16 } = options;
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const screenings = new Map<
    string,
    { readonly password: string; readonly result: Promise<Weakness | undefined> }
  >();

  function start(): Thread {
    const worker = startThread();
    const forget = () => {
      if (thread?.worker === worker) thread = undefined;
    };
    // A thread that dies while idle is replaced for the next password; without a listener its error would end the
    // process.
    worker.on('error', forget).on('exit', forget);
    return { worker, ready: once(worker, 'message', { signal: AbortSignal.timeout(startTimeoutMs) }) };
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.worker.terminate();
  }

  async function screen(screened: Screened): Promise<Weakness | undefined> {
    clearTimeout(idle);
    thread ??= start();
    const { worker, ready } = thread;
    try {
      // On a busy machine the start takes long: counted as the password's time, it would end the thread before its
      // first use.
      await ready;
      const answer = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) });
      worker.postMessage(screened);
      const [weakness] = (await answer) as [Weakness | undefined];
      idle = setTimeout(() => void end(), idleMs).unref();
      return weakness;
    } catch (error) {
      await end();
      throw createUnavailable(error);
    }
  }

  return {
    async weaknessOf(password, { owner, ownData }) {
      const current = screenings.get(owner);
      // The second of two clicks on one form waits for the first.
      if (current?.password === password) return current.result;
      if (current !== undefined) throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
      if (waiting >= maxWaiting) throw createUnavailable();
      waiting += 1;
      const result = last
        .then(() => screen({ password, ownData }))
        .finally(() => {
          waiting -= 1;
          screenings.delete(owner);
        });
      screenings.set(owner, { password, result });
      last = result.catch(() => undefined);
      return result;
    },
    close: end,
  };
}

/**
 * Starts the thread with no data of the process except the passwords, and with only the memory that the dictionaries
 * need.
 */
function startThread(): Worker {
  const worker = new Worker(source, {
    env: {},
    execArgv: [],
    name: 'password screening',
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  worker.unref();
  return worker;
}
