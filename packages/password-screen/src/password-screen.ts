import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '@rubrica/process';
import type { Screened } from './screening-thread.ts';
import type { Weakness } from './weakness.ts';

export interface PasswordScreen {
  /**
   * Why a password is soon guessed; undefined where it is good enough.
   * @throws AppError RATE_LIMITED while another password of the same owner is screened
   * @throws AppError SERVICE_UNAVAILABLE where that cannot be said now
   */
  weaknessOf(password: string, owner: PasswordOwner): Promise<Weakness | undefined>;
  close(): Promise<void>;
}

export interface PasswordOwner {
  /** Names the link or the operator, so that none takes the places of others. Never a token itself. */
  readonly owner: string;
  readonly ownData: readonly string[];
}

export interface ScreenOptions {
  /** For which the thread is kept after its last password. */
  readonly idleMs?: number;
  /** For one password. */
  readonly timeoutMs?: number;
  /** For the start of the thread, which takes half a second of a free processor. */
  readonly startTimeoutMs?: number;
  /** Passwords that wait for their turn; more are turned away. */
  readonly maxWaiting?: number;
}

interface Thread {
  readonly worker: Worker;
  /** It says so when it has its dictionaries. */
  readonly ready: Promise<unknown>;
}

const source = new URL('./screening-thread.ts', import.meta.url);

function unavailable(cause?: unknown): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5, cause });
}

/**
 * Screens passwords in a thread that is started by the first of them and ended when none came for a while: a gateway
 * that serves no claims keeps no dictionaries, and none of its other calls ever waits for a password. One at a time, and
 * one of each owner: a single link must not fill the queue that all share.
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
    // What dies between two passwords is made anew for the next; without a listener its error would end the process.
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
      // A busy machine takes long to start it: counted as the password's, that time would end it before it is of use.
      await ready;
      const answer = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) });
      worker.postMessage(screened);
      const [weakness] = (await answer) as [Weakness | undefined];
      idle = setTimeout(() => void end(), idleMs).unref();
      return weakness;
    } catch (error) {
      await end();
      throw unavailable(error);
    }
  }

  return {
    async weaknessOf(password, { owner, ownData }) {
      const current = screenings.get(owner);
      // The second of two taps on one form waits for the first.
      if (current?.password === password) return current.result;
      if (current !== undefined) throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
      if (waiting >= maxWaiting) throw unavailable();
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

/** It is given nothing of the process but what it is asked, and no more memory than the dictionaries need. */
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
