import { isDatabaseUnavailable } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';

/**
 * Translates database faults for `implement`: while PostgreSQL is away callers are told to retry, not that something
 * unexpected happened.
 */
export function translateDatabaseFault(error: unknown): unknown {
  if (!isDatabaseUnavailable(error)) return error;
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause: error, retryAfterSeconds: 2 });
}
