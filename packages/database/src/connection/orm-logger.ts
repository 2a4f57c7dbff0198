import type { LogContext, Logger } from '@mikro-orm/postgresql';
import type { DatabaseLogger } from '../logger.ts';

/**
 * Logs the warnings of the ORM, lost connections above all. Queries are never logged: their text contains parameters,
 * which may be personal data or sealed secrets.
 */
export function ormLogger(logger: DatabaseLogger): Logger {
  return {
    log: () => undefined,
    logQuery: () => undefined,
    setDebugMode: () => undefined,
    isEnabled: () => false,
    warn: (namespace: string, message: string, _context?: LogContext) =>
      logger.warn({ component: namespace }, `database: ${message}`),
    error: (namespace: string, message: string, _context?: LogContext) =>
      logger.error({ component: namespace }, `database: ${message}`),
  };
}
