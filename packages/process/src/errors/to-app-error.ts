import { errorTextSchema } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { type QuotaLeft, quotaLeftSchema } from '@rubrica/contracts/shared/quota';
import { AppError, isErrorCode } from './app-error.ts';

/** Code for the caller of a fault without one of ours, by tRPC's own code. */
const codeByTrpcCode: Readonly<Record<string, ErrorCode>> = {
  SERVICE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  TIMEOUT: 'SERVICE_UNAVAILABLE',
  GATEWAY_TIMEOUT: 'SERVICE_UNAVAILABLE',
  BAD_GATEWAY: 'SERVICE_UNAVAILABLE',
  CLIENT_CLOSED_REQUEST: 'SERVICE_UNAVAILABLE',
  // A peer that sheds load is a state of ours, not the partner's rate.
  TOO_MANY_REQUESTS: 'SERVICE_UNAVAILABLE',
  NOT_FOUND: 'ROUTE_NOT_FOUND',
};

const defaultRetryAfterSeconds = 2;

type CrossedData = {
  code?: unknown;
  appCode?: unknown;
  text?: unknown;
  details?: unknown;
  retryAfterSeconds?: unknown;
  quota?: unknown;
  path?: unknown;
};

/** Error of a tRPC client. `meta.bus` is present if the bus brought no answer, and never comes from a peer. */
export type ClientError = Error & { data?: CrossedData | null; meta?: { bus?: unknown } };

/**
 * Converts the failed call to a peer to an `AppError`: complete if the peer sent one, otherwise SERVICE_UNAVAILABLE (no
 * answer, or not in time) or an opaque INTERNAL_ERROR.
 *
 * @param error error of the tRPC client; an `AppError` is returned unchanged
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!isClientError(error)) return new AppError({ code: 'INTERNAL_ERROR', cause: error });
  const data: CrossedData = error.data ?? {};
  const trpcCode = typeof data.code === 'string' ? data.code : readCode(error.cause);
  if (isErrorCode(data.appCode)) return rehydrate(data.appCode, error, data);
  const code = codeByTrpcCode[trpcCode ?? ''] ?? 'INTERNAL_ERROR';
  if (code !== 'SERVICE_UNAVAILABLE') return new AppError({ code, cause: error });
  return new AppError({
    code,
    cause: error,
    retryAfterSeconds: readSeconds(data.retryAfterSeconds) ?? defaultRetryAfterSeconds,
  });
}

/** Recognises errors of a tRPC client by name, so that neither a second copy nor an import is needed. */
export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === 'TRPCClientError';
}

function rehydrate(code: ErrorCode, error: Error, data: CrossedData): AppError {
  const retryAfterSeconds = readSeconds(data.retryAfterSeconds);
  const quota = readQuota(data.quota);
  return new AppError({
    code,
    text: errorTextSchema.safeParse(data.text).data,
    publicMessage: error.message,
    details: Array.isArray(data.details) ? data.details.filter(isDetail).map(withKnownText) : [],
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(quota === undefined ? {} : { quota }),
  });
}

function readQuota(value: unknown): QuotaLeft | undefined {
  return quotaLeftSchema.safeParse(value).data;
}

/** A peer of a newer release may send codes that this one does not know: those details are dropped. */
function isDetail(value: unknown): value is ErrorDetail {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as { code?: unknown; message?: unknown };
  return isErrorCode(code) && typeof message === 'string';
}

/** Keeps a valid text of a detail. The previous release sends none. */
function withKnownText({ text, ...detail }: ErrorDetail): ErrorDetail {
  const known = errorTextSchema.safeParse(text).data;
  return known === undefined ? detail : { ...detail, text: known };
}

function readSeconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function readCode(value: unknown): string | undefined {
  const code = (value as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
