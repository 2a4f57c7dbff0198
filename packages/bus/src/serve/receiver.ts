import { type AnyTRPCRouter, TRPCError } from '@trpc/server';
import type { Msg } from 'nats';
import { cancelToken } from '../wire/subjects.ts';
import { type Addressed, isReplyAllowed } from './address.ts';
import { type Attempt, type CallRunnerDeps, runCall } from './call-runner.ts';
import type { Room } from './in-flight.ts';
import type { Bulkhead, ServeError, ServeOptions } from './serve-options.ts';
import type { TickGroups } from './tick-groups.ts';

export interface ReceiverDeps<TRouter extends AnyTRPCRouter> extends CallRunnerDeps<TRouter> {
  readonly addressed: Addressed;
  readonly turns: TickGroups;
  readonly maxInFlight: number;
  readonly bulkheadFor?: ServeOptions<TRouter>['bulkheadFor'];
  readonly onError: (failure: ServeError) => void;
}

/**
 * Creates the function that decides on a caller's message before any of it is read. Each caller has its own capacity.
 */
export function createReceiver<TRouter extends AnyTRPCRouter>(
  deps: ReceiverDeps<TRouter>,
): (message: Msg) => void {
  const { inFlight, answerer, turns, addressed, maxInFlight, waste, bulkheadFor = () => undefined } = deps;
  const { caller } = addressed;
  const pathStart = addressed.prefix.length + 1;
  const common = inFlight.open();
  const bulkheads = new Map<string, Room>();
  const findRoom = (bulkhead: Bulkhead | undefined) => {
    if (bulkhead === undefined) return common;
    const room = bulkheads.get(bulkhead.name) ?? inFlight.open({ isBulkhead: true });
    bulkheads.set(bulkhead.name, room);
    return room;
  };
  return (message) => {
    const path = message.subject.slice(pathStart);
    if (path === cancelToken) return;
    const { reply } = message;
    const bulkhead = bulkheadFor(path);
    const room = findRoom(bulkhead);
    if (!isReplyAllowed(addressed, reply)) {
      deps.onError(unanswerable());
      waste(message);
    } else if (room.calls >= (bulkhead?.maxInFlight ?? maxInFlight)) {
      answerer.turnAway({ reply, path }, 'overloaded');
      waste(message);
    } else {
      const attempt = createAttempt({ reply, path, caller, room });
      if (inFlight.add(attempt)) turns.start(() => void runCall(deps, attempt, message));
      else answerer.error({ reply, path }, replyInUse());
    }
  };
}

function createAttempt(call: Pick<Attempt, 'reply' | 'path' | 'caller' | 'room'>): Attempt {
  const { reply, path, caller, room } = call;
  const receivedAt = performance.now();
  return { reply, path, caller, room, receivedAt, abort: new AbortController(), expiresAt: undefined };
}

function replyInUse(): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST', message: 'A call with this reply subject is running' });
}

function unanswerable(): ServeError {
  const message = 'A call without a reply subject in an inbox of its caller';
  const error = new TRPCError({ code: 'BAD_REQUEST', message });
  return { error, path: '', headers: undefined, kind: 'unanswerable', unexpected: false };
}
