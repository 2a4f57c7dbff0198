import { createDatabase, type Database, type DatabaseOptions } from '@rubrica/database';
import type { ServiceParts } from '@rubrica/process';

/** The service's own database, with its readiness check and its place in the order of stopping. */
export function openDatabase(
  options: Pick<DatabaseOptions, 'url' | 'schema' | 'entities' | 'poolSize'>,
  { logger, health, runner }: Pick<ServiceParts, 'logger' | 'health' | 'runner'>,
): Database {
  const database = createDatabase({ ...options, logger });
  runner.own('database', database.close);
  health.addCheck('database', database.ping);
  return database;
}
