import { TRPCError } from '@trpc/server';
import { renewMap } from '../wire/renew-map.ts';

/** Call from its arrival to its answer. */
export interface TakenCall {
  readonly reply: string;
  readonly abort: AbortController;
  /** Deadline on the clock of `performance.now()`; undefined while unread and if the caller set none. */
  expiresAt: number | undefined;
  /** Number of calls in its message; default one. */
  calls?: number;
  readonly room: Room;
}

/** Calls in progress that share a limit: those of one caller, or of one bulkhead for one caller. */
export interface Room {
  /** Number of calls, not messages. */
  calls: number;
}

export interface InFlight {
  open(options?: { readonly isBulkhead: boolean }): Room;
  /** Counts calls in progress, without those of bulkheads. */
  size(): number;
  /** Records that a message turned out to hold several calls. */
  holds(call: TakenCall, calls: number): void;
  /** Adds a call; returns false if one with this reply subject is already in progress. */
  add(call: TakenCall): boolean;
  remove(call: TakenCall): void;
  /** Aborts the call that its caller abandoned; returns false if there is none. */
  cancel(reply: string): boolean;
  abortAll(reason: TRPCError): void;
  /** Resolves when no call is in progress. */
  idle(): Promise<void>;
  close(): void;
}

const sweepMs = 50;

/** Creates the set of calls in progress, by reply subject; one timer aborts those past their deadline. */
export function createInFlight(): InFlight {
  let calls = new Map<string, TakenCall>();
  const sharedRooms: Room[] = [];
  let waiters: Array<() => void> = [];
  const sweep = setInterval(() => abortExpired(calls), sweepMs);
  sweep.unref();
  return {
    open({ isBulkhead } = { isBulkhead: false }) {
      const room = { calls: 0 };
      if (!isBulkhead) sharedRooms.push(room);
      return room;
    },
    size: () => sharedRooms.reduce((sum, { calls: number }) => sum + number, 0),
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
      calls = renewMap(calls);
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
