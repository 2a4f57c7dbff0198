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
  readonly room: Room;
}

/** Calls under way that share a limit: those of one caller, or of one bulkhead for one caller. */
export interface Room {
  /** Calls, not messages. */
  calls: number;
}

export interface InFlight {
  open(options?: { readonly isBulkhead: boolean }): Room;
  /** Calls under way, those of bulkheads apart. */
  size(): number;
  /** The message has turned out to hold so many. */
  holds(call: TakenCall, calls: number): void;
  /** False when a call with this reply subject is in flight already. */
  add(call: TakenCall): boolean;
  remove(call: TakenCall): void;
  /** Aborts the call that its caller gave up; false where no such call is under way. */
  cancel(reply: string): boolean;
  abortAll(reason: TRPCError): void;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
  close(): void;
}

const sweepMs = 50;

/** The calls in flight by reply subject; one timer aborts those whose deadline passes. */
export function createInFlight(): InFlight {
  let calls = new Map<string, TakenCall>();
  const common: Room[] = [];
  let waiters: Array<() => void> = [];
  const sweep = setInterval(() => abortExpired(calls), sweepMs);
  sweep.unref();
  return {
    open({ isBulkhead } = { isBulkhead: false }) {
      const room = { calls: 0 };
      if (!isBulkhead) common.push(room);
      return room;
    },
    size: () => common.reduce((sum, { calls: number }) => sum + number, 0),
    holds(call, number) {
      call.room.calls += number - (call.calls ?? 1);
      call.calls = number;
    },
    add(call) {
      if (calls.has(call.reply)) return false;
      calls.set(call.reply, call);
      call.room.calls += 1;
      return true;
    },
    remove(call) {
      if (calls.delete(call.reply)) call.room.calls -= call.calls ?? 1;
      if (calls.size > 0) return;
      calls = renewed(calls);
      for (const wake of waiters) wake();
      waiters = [];
    },
    cancel(reply) {
      const call = calls.get(reply);
      call?.abort.abort(callerGone());
      return call !== undefined;
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
