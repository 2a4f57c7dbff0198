import type { AnyTRPCRouter, inferRouterContext, TRPCError } from '@trpc/server';
import type { Headers } from '../wire/headers.ts';

export interface CallInfo {
  readonly path: string;
  /** The bus user that calls, where subjects name it. */
  readonly caller: string | undefined;
  readonly type: 'query' | 'mutation';
  /** Lower-case names, first values; the caller wrote them. */
  readonly headers: Headers;
  /** Aborted when the caller gives up, when the deadline passes, and when a stop runs out of patience. */
  readonly signal: AbortSignal;
  /** Epoch ms until which the caller waits; hand it on to calls made on its behalf. */
  readonly deadlineAt: number | undefined;
}

export interface ServeError {
  readonly error: TRPCError;
  /** Empty when the call could not be read so far. */
  readonly path: string;
  readonly headers: Headers | undefined;
  /** `call`: answered to the caller. `unanswerable`: no reply subject that one may answer on. */
  readonly kind: 'call' | 'unanswerable';
  /** Thrown by accident: the caller got a masked message, this is the only place that sees the real one. */
  readonly unexpected: boolean;
}

/** Limit of some procedures for one caller, apart from `maxInFlight`. */
export interface Bulkhead {
  readonly name: string;
  readonly maxInFlight: number;
}

export interface ServeOptions<TRouter extends AnyTRPCRouter> {
  readonly router: TRouter;
  /** Procedures answer at `<subjectPrefix>.<path>`. */
  readonly subjectPrefix: string;
  /**
   * Callers that subjects name: procedures answer at `<subjectPrefix>.<caller>.<path>`. Where allow-lists let each user publish
   * under its own name alone, nats-server vouches for the caller. It is answered in its own inbox and nowhere else, and a
   * flood of its messages costs no other caller its calls.
   */
  readonly callers?: readonly string[];
  /** Copies with the same queue group share the calls. */
  readonly queue: string;
  readonly createContext: (
    call: CallInfo,
  ) => Promise<inferRouterContext<TRouter>> | inferRouterContext<TRouter>;
  /** Calls of one caller beyond this many at once are turned away, safe to repeat; 256. */
  readonly maxInFlight?: number;
  /**
   * Procedures with a limit of their own: they take no room of the others, nor the others theirs. Procedures that name the
   * same bulkhead share its limit.
   */
  readonly bulkheadFor?: (path: string) => Bulkhead | undefined;
  readonly onError?: (failure: ServeError) => void;
  /** For discovery. The name is the prefix with "-" for dots unless given. */
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
}
