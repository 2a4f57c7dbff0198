import type { AnyTRPCRouter, inferRouterContext, TRPCError } from '@trpc/server';
import type { Headers } from '../wire/headers.ts';

export interface CallInfo {
  readonly path: string;
  /** Bus user that calls, if subjects name it. */
  readonly caller: string | undefined;
  readonly type: 'query' | 'mutation';
  /** Headers with lower-case names, first values; the caller wrote them. */
  readonly headers: Headers;
  /** Aborted when the caller abandons the call, when the deadline passes, and when the grace period of a stop ends. */
  readonly signal: AbortSignal;
  /** Epoch ms until which the caller waits; pass it to calls on its behalf. */
  readonly deadlineAt: number | undefined;
}

export interface ServeError {
  readonly error: TRPCError;
  /** Empty if the call could not be read so far. */
  readonly path: string;
  readonly headers: Headers | undefined;
  /** `call`: the caller was answered. `unanswerable`: it has no permitted reply subject. */
  readonly kind: 'call' | 'unanswerable';
  /** True if it was thrown by accident: the caller got a masked message, and only this record has the real one. */
  readonly unexpected: boolean;
}

/** Limit of some procedures for one caller, separate from `maxInFlight`. */
export interface Bulkhead {
  readonly name: string;
  readonly maxInFlight: number;
}

export interface ServeOptions<TRouter extends AnyTRPCRouter> {
  readonly router: TRouter;
  /** Procedures answer at `<subjectPrefix>.<path>`. */
  readonly subjectPrefix: string;
  /**
   * Callers that subjects name: procedures answer at `<subjectPrefix>.<caller>.<path>`. If allow-lists let each user
   * publish under its own name only, nats-server authenticates the caller. It is answered in its own inbox only, and a
   * flood of its messages costs no other caller its calls.
   */
  readonly callers?: readonly string[];
  /** Copies with the same queue group share the calls. */
  readonly queue: string;
  readonly createContext: (
    call: CallInfo,
  ) => Promise<inferRouterContext<TRouter>> | inferRouterContext<TRouter>;
  /** Maximum concurrent calls of one caller; further ones are refused as safe to repeat; default 256. */
  readonly maxInFlight?: number;
  /**
   * Selects the bulkhead of procedures with a separate limit: they take no capacity of the others, nor the others
   * theirs. Procedures with the same bulkhead share its limit.
   */
  readonly bulkheadFor?: (path: string) => Bulkhead | undefined;
  readonly onError?: (failure: ServeError) => void;
  /** Name for discovery; default: the prefix with "-" for dots. */
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
}
