import { TRPCError } from '@trpc/server';
import { renewed } from '../wire/renewed.ts';

/** A call from its arrival to its answer. */
export interface TakenCall {
  readonly reply: string;
  readonly abort: AbortController;
  /** On the clock of `performance.now()`; absent while unread and when the caller set no deadline. */
  expiresAt: number | undefined;
  /** How many there are in its message; one unless told. */
  calls?: number;
  /** Name of its bulkhead; the common limit counts calls without one. */
  readonly bulkhead?: string | undefined;
}

export interface InFlight {
  /** Calls, not messages: those of a bulkhead, or those without one. */
  size(bulkhead?: string): number;
  /** The message has turned out to hold so many. */
  holds(call: TakenCall, calls: number): void;
  /** False when a call with this reply subject is in flight already. */
  add(call: TakenCall): boolean;
  remove(call: TakenCall): void;
  /** The caller gave up. */
  cancel(reply: string): void;
  abortAll(reason: TRPCError): void;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
  close(): void;
}

const sweepMs = 50;

/** The calls in flight by reply subject; one timer aborts those whose deadline passes. */
export function createInFlight(): InFlight {
  let calls = new Map<string, TakenCall>();
  const running = new Map<string | undefined, number>();
  const count = ({ bulkhead }: TakenCall, change: number) => {
    const number = (running.get(bulkhead) ?? 0) + change;
    if (number > 0) running.set(bulkhead, number);
    else running.delete(bulkhead);
  };
  let waiters: Array<() => void> = [];
  const sweep = setInterval(() => abortExpired(calls), sweepMs);
  sweep.unref();
  return {
    size: (bulkhead) => running.get(bulkhead) ?? 0,
    holds(call, number) {
      count(call, number - (call.calls ?? 1));
      call.calls = number;
    },
    add(call) {
      if (calls.has(call.reply)) return false;
      calls.set(call.reply, call);
      count(call, 1);
      return true;
    },
    remove(call) {
      if (calls.delete(call.reply)) count(call, -(call.calls ?? 1));
      if (calls.size > 0) return;
      calls = renewed(calls);
      for (const wake of waiters) wake();
      waiters = [];
    },
    cancel(reply) {
      calls.get(reply)?.abort.abort(callerGone());
    },
    abortAll(reason) {
      for (const { abort } of calls.values()) abort.abort(reason);
    },
    idle: () => new Promise((resolve) => (calls.size === 0 ? resolve() : waiters.push(resolve))),
    close: () => clearInterval(sweep),
  };
}

function abortExpired(calls: ReadonlyMap<string, TakenCall>): void {
  const now = performance.now();
  for (const { abort, expiresAt } of calls.values()) {
    if (expiresAt !== undefined && expiresAt <= now && !abort.signal.aborted) abort.abort(deadlinePassed());
  }
}

function deadlinePassed(): TRPCError {
  return new TRPCError({ code: 'TIMEOUT', message: 'The deadline of the call has passed' });
}

function callerGone(): TRPCError {
  return new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', message: 'The caller gave the call up' });
}
