import { type AnyTRPCRouter, TRPCError } from '@trpc/server';
import type { Msg } from 'nats';
import { cancelToken } from '../wire/subjects.ts';
import { type Address, type Addressed, addressReader, isReplyOf } from './address.ts';
import { type Attempt, type CallRunnerDeps, runCall } from './call-runner.ts';
import type { ServeError, ServeOptions } from './serve-options.ts';
import { createTurns } from './turns.ts';

export interface ReceiverDeps<TRouter extends AnyTRPCRouter> extends CallRunnerDeps<TRouter>, Addressed {
  readonly maxInFlight: number;
  readonly bulkheadFor?: ServeOptions<TRouter>['bulkheadFor'];
  readonly onError: (failure: ServeError) => void;
}

/** Decides what becomes of a message before anything of it is read. */
export function createReceiver<TRouter extends AnyTRPCRouter>(
  deps: ReceiverDeps<TRouter>,
): (message: Msg) => void {
  const { inFlight, answerer, maxInFlight, bulkheadFor = () => undefined } = deps;
  const readAddress = addressReader(deps);
  const turns = createTurns();
  return (message) => {
    const address = readAddress(message.subject);
    const { path } = address;
    if (path === cancelToken) return;
    const { reply } = message;
    const bulkhead = bulkheadFor(path);
    if (!isReplyOf(address, reply)) {
      deps.onError(unanswerable());
    } else if (inFlight.size(bulkhead?.name) >= (bulkhead?.maxInFlight ?? maxInFlight)) {
      answerer.turnAway({ reply, path }, 'overloaded');
    } else {
      const attempt = take(reply, address, bulkhead?.name);
      if (inFlight.add(attempt)) turns.start(() => void runCall(deps, attempt, message));
      else answerer.error({ reply, path }, replyInUse());
    }
  };
}

function take(reply: string, { path, caller }: Address, bulkhead: string | undefined): Attempt {
  const receivedAt = performance.now();
  return { reply, path, caller, bulkhead, receivedAt, abort: new AbortController(), expiresAt: undefined };
}

function replyInUse(): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST', message: 'A call with this reply subject is running' });
}

function unanswerable(): ServeError {
  const message = 'A call without a reply subject in an inbox of its caller';
  const error = new TRPCError({ code: 'BAD_REQUEST', message });
  return { error, path: '', headers: undefined, kind: 'unanswerable', unexpected: false };
}
