import { createDatabase, type Database, type DatabaseOptions } from '@rubrica/database';
import type { ServiceParts } from '@rubrica/process';
import { exposeConnections, exposeServerLoad } from './database-metrics.ts';

/**
 * The service's own database, with its readiness check and its place in the order of stopping. Its clock is the one
 * that counts for the service.
 */
export function openDatabase(
  options: Pick<DatabaseOptions, 'url' | 'directUrl' | 'schema' | 'entities' | 'poolSize' | 'subscribers'>,
  {
    logger,
    metrics,
    health,
    runner,
    clock,
  }: Pick<ServiceParts, 'logger' | 'metrics' | 'health' | 'runner' | 'clock'>,
): Database {
  const database = createDatabase({ ...options, logger });
  runner.own('database', database.close);
  exposeConnections(database, metrics);
  exposeServerLoad(database, metrics);
  health.addCheck('database', database.ping);
  runner.own('clock', clock.follow({ name: 'PostgreSQL', read: database.clockMs }));
  health.addCheck('clock', clock.check);
  return database;
}
