import { TRPCError } from '@trpc/server';

export interface RunningCall {
  readonly abort: AbortController;
  /** On the clock of `performance.now()`; absent when the caller set no deadline. */
  readonly expiresAt: number | undefined;
}

export interface InFlight {
  size(): number;
  /** False when a call with this reply subject is running already. */
  add(reply: string, call: RunningCall): boolean;
  remove(reply: string): void;
  /** The caller gave up. */
  cancel(reply: string): void;
  abortAll(reason: TRPCError): void;
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
  close(): void;
}

const sweepMs = 50;

/** The calls that run now, by reply subject; one timer aborts those whose deadline passes. */
export function createInFlight(): InFlight {
  const running = new Map<string, RunningCall>();
  let waiters: Array<() => void> = [];
  const sweep = setInterval(() => abortExpired(running), sweepMs);
  sweep.unref();
  return {
    size: () => running.size,
    add(reply, call) {
      if (running.has(reply)) return false;
      running.set(reply, call);
      return true;
    },
    remove(reply) {
      running.delete(reply);
      if (running.size > 0) return;
      for (const wake of waiters) wake();
      waiters = [];
    },
    cancel(reply) {
      running.get(reply)?.abort.abort(callerGone());
    },
    abortAll(reason) {
      for (const { abort } of running.values()) abort.abort(reason);
    },
    idle: () => new Promise((resolve) => (running.size === 0 ? resolve() : waiters.push(resolve))),
    close: () => clearInterval(sweep),
  };
}

function abortExpired(running: Map<string, RunningCall>): void {
  const now = performance.now();
  for (const { abort, expiresAt } of running.values()) {
    if (expiresAt !== undefined && expiresAt <= now && !abort.signal.aborted) abort.abort(deadlinePassed());
  }
}

export function deadlinePassed(): TRPCError {
  return new TRPCError({ code: 'TIMEOUT', message: 'The deadline of the call has passed' });
}

function callerGone(): TRPCError {
  return new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', message: 'The caller gave the call up' });
}
