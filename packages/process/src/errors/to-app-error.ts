import { errorTextSchema } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { type QuotaLeft, quotaLeftSchema } from '@rubrica/contracts/shared/quota';
import { AppError, isErrorCode } from './app-error.ts';

/** What a fault that carries no code of ours means to the caller, by tRPC's own code. */
const codeByTrpcCode: Readonly<Record<string, ErrorCode>> = {
  SERVICE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  TIMEOUT: 'SERVICE_UNAVAILABLE',
  GATEWAY_TIMEOUT: 'SERVICE_UNAVAILABLE',
  BAD_GATEWAY: 'SERVICE_UNAVAILABLE',
  CLIENT_CLOSED_REQUEST: 'SERVICE_UNAVAILABLE',
  // A peer that sheds load is our state, not the partner's rate.
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

/** What a tRPC client throws; `meta.bus` is there where the bus brought no answer, and never comes from a peer. */
export type ClientError = Error & { data?: CrossedData | null; meta?: { bus?: unknown } };

/**
 * Brings the failure of a call to a peer back as an `AppError`: whole where the peer sent one, otherwise
 * SERVICE_UNAVAILABLE (nobody answered, or not in time) or an opaque INTERNAL_ERROR.
 *
 * @param error what the tRPC client threw; an `AppError` is handed back as it is
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!isClientError(error)) return new AppError({ code: 'INTERNAL_ERROR', cause: error });
  const data: CrossedData = error.data ?? {};
  const trpcCode = typeof data.code === 'string' ? data.code : codeOf(error.cause);
  if (isErrorCode(data.appCode)) return rehydrated(data.appCode, error, data);
  const code = codeByTrpcCode[trpcCode ?? ''] ?? 'INTERNAL_ERROR';
  if (code !== 'SERVICE_UNAVAILABLE') return new AppError({ code, cause: error });
  return new AppError({
    code,
    cause: error,
    retryAfterSeconds: seconds(data.retryAfterSeconds) ?? defaultRetryAfterSeconds,
  });
}

/** True for what a tRPC client throws; by name, so that neither a second copy nor an import is needed. */
export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === 'TRPCClientError';
}

function rehydrated(code: ErrorCode, error: Error, data: CrossedData): AppError {
  const retryAfterSeconds = seconds(data.retryAfterSeconds);
  const quota = quotaOf(data.quota);
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

function quotaOf(value: unknown): QuotaLeft | undefined {
  return quotaLeftSchema.safeParse(value).data;
}

/** A peer of a newer release may send codes that this one does not know: those details are left out. */
function isDetail(value: unknown): value is ErrorDetail {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as { code?: unknown; message?: unknown };
  return isErrorCode(code) && typeof message === 'string';
}

/** The release before sends no text, and what is not one is left out. */
function withKnownText({ text, ...detail }: ErrorDetail): ErrorDetail {
  const known = errorTextSchema.safeParse(text).data;
  return known === undefined ? detail : { ...detail, text: known };
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function codeOf(value: unknown): string | undefined {
  const code = (value as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
