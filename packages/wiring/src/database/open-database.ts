import { createDatabase, type Database, type DatabaseOptions } from '@rubrica/database';
import type { ServiceParts } from '@rubrica/process';

/**
 * The service's own database, with its readiness check and its place in the order of stopping. Its clock is the one
 * that counts for the service.
 */
export function openDatabase(
  options: Pick<DatabaseOptions, 'url' | 'schema' | 'entities' | 'poolSize' | 'subscribers'>,
  { logger, health, runner, clock }: Pick<ServiceParts, 'logger' | 'health' | 'runner' | 'clock'>,
): Database {
  const database = createDatabase({ ...options, logger });
  runner.own('database', database.close);
  health.addCheck('database', database.ping);
  runner.own('clock', clock.follow({ name: 'PostgreSQL', read: database.clockMs }));
  health.addCheck('clock', clock.check);
  return database;
}
