import { isDatabaseUnavailable } from '@rubrica/database';
import { AppError } from '@rubrica/process';

/**
 * For a service's procedures: while PostgreSQL is away callers are told to come back, not that something
 * unexpected happened.
 */
export function orUnavailable<Result extends { ok: boolean; error?: { cause?: unknown } }>(
  result: Result,
): Result {
  const cause = result.error?.cause;
  if (result.ok || !isDatabaseUnavailable(cause)) return result;
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}
