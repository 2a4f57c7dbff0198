import { type AnyTRPCRouter, callTRPCProcedure, getTRPCErrorFromUnknown, TRPCError } from '@trpc/server';
import type { Msg } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { errorBody, isUnexpected, plainError, resultBody, turnedAwayBody } from './answer.ts';
import { type Call, decodeCall } from './decode-call.ts';
import { deadlinePassed, type InFlight } from './in-flight.ts';
import type { ServeError, ServeOptions } from './serve-options.ts';
import { countError, type Statistics } from './statistics.ts';

export interface CallRunner {
  /** Decodes, runs and answers one call. Never throws, never rejects. */
  run(message: Msg, reply: string, path: string): void;
  turnAway(reply: string, reason: 'overloaded' | 'late'): void;
}

export interface CallRunnerDeps<TRouter extends AnyTRPCRouter>
  extends Pick<ServeOptions<TRouter>, 'router' | 'createContext'> {
  readonly bus: Bus;
  readonly inFlight: InFlight;
  readonly statistics: Statistics;
  readonly onError: (failure: ServeError) => void;
}

interface Attempt {
  readonly reply: string;
  readonly path: string;
  readonly startedAt: number;
  call?: Call;
  ctx?: unknown;
}

export function createCallRunner<TRouter extends AnyTRPCRouter>(deps: CallRunnerDeps<TRouter>): CallRunner {
  const { bus, router, inFlight, statistics } = deps;

  const publish = (attempt: Attempt, body: Uint8Array) => {
    try {
      const fits = body.length <= bus.maxPayloadBytes();
      if (!fits) countError(statistics.of(attempt.path), answerTooLarge(), false);
      bus.nc.publish(attempt.reply, fits ? body : plainError(answerTooLarge(), attempt.path));
    } catch (error) {
      bus.fault(error, `answer of ${attempt.path}`);
    }
  };
  const fail = (attempt: Attempt, cause: unknown) => {
    const error = getTRPCErrorFromUnknown(cause);
    const { path, call, ctx } = attempt;
    const unexpected = isUnexpected(error);
    countError(statistics.of(path), error, unexpected);
    deps.onError({ error, path, headers: call?.headers, kind: 'call', unexpected });
    publish(
      attempt,
      errorBody(router, { error, path, type: call?.type ?? 'unknown', input: call?.input, ctx }),
    );
  };
  const turnAway = (reply: string, reason: 'overloaded' | 'late') =>
    publish({ reply, path: reason, startedAt: 0 }, turnedAwayBody(reason));

  const execute = async (attempt: Attempt, call: Call, abort: AbortController) => {
    const { signal } = abort;
    const { path, type, headers, remainingMs } = call;
    const deadlineAt = remainingMs === undefined ? undefined : Date.now() + remainingMs;
    try {
      const ctx = await deps.createContext({ path, type, headers, signal, deadlineAt });
      attempt.ctx = ctx;
      // Reading the caller's identity may have taken what was left.
      if (isLate(attempt, remainingMs)) throw deadlinePassed();
      signal.throwIfAborted();
      const getRawInput = async () => router._def._config.transformer.input.deserialize(call.input);
      const data = await callTRPCProcedure({ router, path, type, ctx, signal, getRawInput, batchIndex: 0 });
      publish(attempt, resultBody(router, wholeResult(data)));
    } catch (cause) {
      fail(attempt, cause);
    } finally {
      inFlight.remove(attempt.reply);
      statistics.of(path).processingNs += (performance.now() - attempt.startedAt) * 1e6;
    }
  };

  return {
    turnAway,
    run(message, reply, path) {
      const attempt: Attempt = { reply, path, startedAt: performance.now() };
      statistics.of(path).requests += 1;
      try {
        const call = decodeCall(message, path);
        attempt.call = call;
        if (call.remainingMs === 0) {
          turnAway(reply, 'late');
          return;
        }
        const abort = new AbortController();
        const expiresAt = call.remainingMs === undefined ? undefined : attempt.startedAt + call.remainingMs;
        if (!inFlight.add(reply, { abort, expiresAt })) {
          throw new TRPCError({ code: 'BAD_REQUEST', message: 'A call with this reply subject is running' });
        }
        void execute(attempt, call, abort);
      } catch (cause) {
        fail(attempt, cause);
      }
    },
  };
}

function isLate(attempt: Attempt, remainingMs: number | undefined): boolean {
  return remainingMs !== undefined && performance.now() - attempt.startedAt >= remainingMs;
}

function answerTooLarge(): TRPCError {
  return new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: 'The answer is larger than the bus carries' });
}

/** One answer per call: a stream of results has no place on the bus. */
function wholeResult(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !(Symbol.asyncIterator in data)) return data;
  // Lets a generator release what it holds.
  void (data as AsyncIterable<unknown>)[Symbol.asyncIterator]().return?.();
  throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: 'The bus carries no streams of results' });
}
