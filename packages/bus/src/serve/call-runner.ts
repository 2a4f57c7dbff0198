import { type AnyTRPCRouter, callTRPCProcedure, TRPCError } from '@trpc/server';
import type { Msg } from 'nats';
import type { BusSeals } from '../wire/seals.ts';
import { type Answerable, type Answerer, isLate } from './answerer.ts';
import { type Call, decodeBundle, decodeCall, isBundle } from './decode-call.ts';
import type { InFlight, TakenCall } from './in-flight.ts';
import { openMessage } from './open-call.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Statistics } from './statistics.ts';

/** Accepted call; its deadline counts from `receivedAt`, on the clock of `performance.now()`. */
export interface Attempt extends TakenCall, Omit<Answerable, 'expiresAt' | 'reply'> {
  readonly receivedAt: number;
  readonly caller: string | undefined;
}

export interface CallRunnerDeps<TRouter extends AnyTRPCRouter>
  extends Pick<ServeOptions<TRouter>, 'router' | 'createContext'> {
  readonly inFlight: InFlight;
  readonly statistics: Statistics;
  readonly answerer: Answerer;
  readonly seals: BusSeals | undefined;
  /** Called for each message that brought no call. */
  readonly waste: (message: Msg) => void;
}

/** Decodes, runs and answers the content of one message, whatever it is. Never rejects. */
export async function runCall<TRouter extends AnyTRPCRouter>(
  deps: CallRunnerDeps<TRouter>,
  attempt: Attempt,
  message: Msg,
): Promise<void> {
  const { path, receivedAt } = attempt;
  const counters = deps.statistics.of(path);
  counters.requests += 1;
  try {
    const opened = openMessage(deps.seals, message);
    if (opened.kind !== 'opened') {
      deps.waste(message);
      if (opened.kind === 'not-opened') deps.answerer.turnAway(attempt, 'not-opened');
      return;
    }
    const { headers, data } = opened;
    attempt.sealAnswer = opened.sealAnswer;
    if (isBundle(headers)) {
      const calls = decodeBundle(data, path, headers);
      counters.requests += calls.length - 1;
      await runTogether(deps, attempt, calls);
    } else await runDecoded(deps, attempt, decodeCall({ data }, path, headers));
  } catch (cause) {
    deps.answerer.error(attempt, cause);
  } finally {
    deps.inFlight.remove(attempt);
    counters.processingNs += (performance.now() - receivedAt) * 1e6;
  }
}

/** Runs calls concurrently, with one answer when the last has ended: a user of the bus may answer a message once. */
async function runTogether<TRouter extends AnyTRPCRouter>(
  deps: CallRunnerDeps<TRouter>,
  attempt: Attempt,
  calls: readonly Call[],
): Promise<void> {
  deps.inFlight.holds(attempt, calls.length);
  const remainingMs = calls[0]?.remainingMs;
  if (remainingMs !== undefined) attempt.expiresAt = attempt.receivedAt + remainingMs;
  const bodies: Uint8Array[] = [];
  const run = (call: Call, index: number) => {
    const keep = (body: Uint8Array) => {
      bodies[index] = body;
    };
    return runDecoded(deps, { ...attempt, keep }, call);
  };
  await Promise.all(calls.map(run));
  await endOfTick();
  deps.answerer.together(attempt, bodies);
}

/**
 * Waits for the end of this tick, after all its promises, so that bundles of one tick are answered in one write. A call
 * that took one step more, as a traced one does, would have its bundle written separately.
 */
function endOfTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Runs a decoded call. Never rejects. */
async function runDecoded<TRouter extends AnyTRPCRouter>(
  { router, answerer, createContext }: CallRunnerDeps<TRouter>,
  attempt: Attempt,
  call: Call,
): Promise<void> {
  const { path, caller, abort, receivedAt } = attempt;
  const { signal } = abort;
  try {
    attempt.call = call;
    const { type, headers, remainingMs } = call;
    if (remainingMs !== undefined) attempt.expiresAt = receivedAt + remainingMs;
    if (isLate(attempt)) {
      answerer.turnAway(attempt, 'deadline-passed');
      return;
    }
    signal.throwIfAborted();
    const deadlineAt = remainingMs === undefined ? undefined : Date.now() + remainingMs;
    const ctx = await createContext({ path, caller, type, headers, signal, deadlineAt });
    attempt.ctx = ctx;
    // Identifying the caller may have used up the remaining time.
    if (isLate(attempt)) {
      answerer.turnAway(attempt, 'deadline-passed');
      return;
    }
    signal.throwIfAborted();
    const getRawInput = async () => router._def._config.transformer.input.deserialize(call.input);
    const data = await callTRPCProcedure(new ProcedureCall(router, { path, type, ctx, signal, getRawInput }));
    answerer.result(attempt, assertWholeResult(data));
  } catch (cause) {
    answerer.error(attempt, cause);
  }
}

type CallTRPCOptions = Parameters<typeof callTRPCProcedure>[0];

/**
 * Options of `callTRPCProcedure`. tRPC copies all own properties several times for every link of a procedure's chain.
 * Properties that no link needs are inherited, which saves a tenth of tRPC's time for a small call.
 */
class ProcedureCall implements CallTRPCOptions {
  readonly path: string;
  readonly type: CallTRPCOptions['type'];
  readonly ctx: unknown;
  readonly signal: AbortSignal | undefined;
  readonly getRawInput: CallTRPCOptions['getRawInput'];
  readonly #router: AnyTRPCRouter;

  constructor(router: AnyTRPCRouter, call: Omit<CallTRPCOptions, 'router' | 'batchIndex'>) {
    this.#router = router;
    this.path = call.path;
    this.type = call.type;
    this.ctx = call.ctx;
    this.signal = call.signal;
    this.getRawInput = call.getRawInput;
  }

  get router(): AnyTRPCRouter {
    return this.#router;
  }

  get batchIndex(): number {
    return 0;
  }
}

/** Requires a whole result: a call has one answer, and the bus has no streams of results. */
function assertWholeResult(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !(Symbol.asyncIterator in data)) return data;
  // Lets a generator release its resources.
  void (data as AsyncIterable<unknown>)[Symbol.asyncIterator]().return?.();
  throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: 'The bus carries no streams of results' });
}
