import { isTRPCClientError, TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter, TRPC_ERROR_CODE_KEY } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { type FailureReason, failures } from '../wire/failures.ts';

/** Knowledge of the bus about a failed call. Undefined if the procedure answered with an error of its own. */
export interface BusFailure {
  readonly reason: FailureReason;
  /** `no`: the procedure never ran, so repeating is safe. `unknown`: it may have run, or may still run. */
  readonly started: 'no' | 'unknown';
  readonly subject: string;
}

const httpStatus: Partial<Record<TRPC_ERROR_CODE_KEY, number>> = {
  BAD_REQUEST: 400,
  FORBIDDEN: 403,
  METHOD_NOT_SUPPORTED: 405,
  TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  CLIENT_CLOSED_REQUEST: 499,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
};

/** Creates the error for a call that the bus could not complete; `data.code` is a tRPC code as always. */
export function failureError<TRouter extends AnyTRPCRouter>(failure: {
  reason: FailureReason;
  path: string;
  subject: string;
  cause?: Error | undefined;
}): TRPCClientError<TRouter> {
  const { code, started, message } = failures[failure.reason];
  const shape = {
    code: TRPC_ERROR_CODES_BY_KEY[code],
    message,
    data: { code, httpStatus: httpStatus[code], path: failure.path },
  };
  const bus: BusFailure = { reason: failure.reason, started, subject: failure.subject };
  return TRPCClientError.from<TRouter>({ error: shape }, { meta: { bus }, ...toCauseOption(failure.cause) });
}

function toCauseOption(cause: Error | undefined): { cause?: Error } {
  return cause === undefined ? {} : { cause };
}

/**
 * Returns the bus's knowledge about a failed call; undefined if the error came from the procedure or not from a call.
 */
export function busFailure(error: unknown): BusFailure | undefined {
  return isTRPCClientError(error) ? (error.meta?.bus as BusFailure | undefined) : undefined;
}

/** Tells whether the call certainly never ran and a repeat may help: nobody serves, overloaded, or not connected. */
export function isSafeToRepeat(error: unknown): boolean {
  const failure = busFailure(error);
  return failure?.started === 'no' && failures[failure.reason].code === 'SERVICE_UNAVAILABLE';
}
