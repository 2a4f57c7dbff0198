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

/** For `implement`'s `translate`: what a use case threw, as callers are told it. */
export function translateDatabaseFault(error: unknown): unknown {
  if (!isDatabaseUnavailable(error)) return error;
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause: error, retryAfterSeconds: 2 });
}
