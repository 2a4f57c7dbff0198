import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { readTraceId } from '@rubrica/process/context';
import type { AppError } from '@rubrica/process/errors';
import type { ServiceErrorData } from '@rubrica/process/trpc';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { RequestContext } from '../context.ts';
import { localizeShape } from './localize-shape.ts';

/** Formats a failure outside any procedure as a tRPC error. */
export function formatTrpcFault(
  fault: AppError,
  { traceparent, language }: Pick<RequestContext, 'traceparent' | 'language'>,
): { status: number; body: string } {
  const { http, trpc } = errorCatalogue[fault.code];
  const traceId = readTraceId(traceparent);
  const data: ServiceErrorData = {
    code: trpc,
    httpStatus: http,
    appCode: fault.code,
    ...(fault.text === undefined ? {} : { text: fault.text }),
    details: fault.details,
    ...(traceId === undefined ? {} : { traceId }),
  };
  const shape = { message: fault.publicMessage, code: TRPC_ERROR_CODES_BY_KEY[trpc], data };
  const error = localizeShape(shape, language);
  return { status: http, body: JSON.stringify({ error }) };
}
