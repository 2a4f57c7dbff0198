import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { AppError, isClientError, toAppError } from '@rubrica/process/errors';

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BODY_MALFORMED',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'ROUTE_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'BODY_TOO_LARGE',
  414: 'ROUTE_NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
};

/** Codes that peers return only when two releases do not match; the partner can only retry. */
const internalToPeers: ReadonlySet<ErrorCode> = new Set([
  'ROUTE_NOT_FOUND',
  'BODY_MALFORMED',
  'METHOD_NOT_ALLOWED',
]);

/**
 * Converts any failure of a route to an error of the catalogue: ours, a peer's, Fastify's own, or an opaque
 * INTERNAL_ERROR.
 */
export function toFault(error: unknown): AppError {
  const statusCode = readFastifyStatus(error);
  if (statusCode !== undefined) {
    return new AppError({ code: codeByStatus[statusCode] ?? 'INTERNAL_ERROR', cause: error });
  }
  const fault = toAppError(error);
  if (!internalToPeers.has(fault.code) || !isClientError(fault.cause)) return fault;
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause: fault, retryAfterSeconds: 5 });
}

function readFastifyStatus(error: unknown): number | undefined {
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number'
    ? statusCode
    : undefined;
}
