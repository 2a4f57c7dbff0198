import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { QuotaLeft } from '@rubrica/contracts/shared/quota';
import { TRPCError } from '@trpc/server';
import { type TRPC_ERROR_CODE_NUMBER, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { currentContext } from '../context/ambient-context.ts';
import { readTraceId } from '../context/traceparent.ts';
import type { AppError } from '../errors/app-error.ts';
import { fromTrpcError } from './from-trpc-error.ts';

/** `data` of every tRPC error: tRPC's own members, and those that restore an `AppError`. */
export type ServiceErrorData = {
  code: TRPCError['code'];
  httpStatus: number;
  path?: string;
  appCode: ErrorCode;
  /** Rendered by the service that answers a person; `message` is its English rendering. */
  text?: ErrorText;
  details: readonly ErrorDetail[];
  retryAfterSeconds?: number;
  quota?: QuotaLeft;
  traceId?: string;
};

/** A failure in tRPC's own form. */
export interface ServiceErrorShape {
  readonly message: string;
  readonly code: TRPC_ERROR_CODE_NUMBER;
  readonly data: ServiceErrorData;
}

/**
 * Converts a failure to the form for the caller. It is the last gate, also for faults that no middleware saw (an
 * unknown procedure, a context that could not be created). Message and details come from an `AppError` or the
 * catalogue.
 */
export function toErrorShape(
  error: TRPCError,
  path: string | undefined,
  traceparent: string | undefined,
): ServiceErrorShape {
  const fault = fromTrpcError(error);
  const { trpc, http } = errorCatalogue[fault.code];
  const traceId = readTraceId(traceparent ?? currentContext()?.traceparent);
  const data: ServiceErrorData = {
    code: trpc,
    httpStatus: http,
    ...(path === undefined ? {} : { path }),
    appCode: fault.code,
    ...(fault.text === undefined ? {} : { text: fault.text }),
    details: fault.details,
    ...(fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }),
    ...(fault.quota === undefined ? {} : { quota: fault.quota }),
    ...(traceId === undefined ? {} : { traceId }),
  };
  return { message: fault.publicMessage, code: TRPC_ERROR_CODES_BY_KEY[trpc], data };
}

export function toTrpcError(fault: AppError): TRPCError {
  return new TRPCError({ code: errorCatalogue[fault.code].trpc, message: fault.publicMessage, cause: fault });
}
