import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { type AppError, type ServiceErrorData, traceIdOf } from '@rubrica/process';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';

/** A failure outside any procedure, in tRPC's own form. */
export function trpcFault(fault: AppError, traceparent: string): { status: number; body: string } {
  const { http, trpc } = errorCatalogue[fault.code];
  const traceId = traceIdOf(traceparent);
  const data: ServiceErrorData = {
    code: trpc,
    httpStatus: http,
    appCode: fault.code,
    details: fault.details,
    ...(traceId === undefined ? {} : { traceId }),
  };
  const error = { message: fault.publicMessage, code: TRPC_ERROR_CODES_BY_KEY[trpc], data };
  return { status: http, body: JSON.stringify({ error }) };
}
