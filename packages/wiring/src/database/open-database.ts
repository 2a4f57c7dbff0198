import { createEntryGuard, type EntryKeys } from '@rubrica/audit/entries';
import type { AuditTable } from '@rubrica/audit/log';
import { createDatabase, type Database, type DatabaseOptions } from '@rubrica/database/connection';
import type { ServiceParts } from '@rubrica/process/runner';
import { exposeConnections, exposeServerLoad } from './database-metrics.ts';

/**
 * Opens the service's own database, with its readiness check and its cleanup. Its clock is the reference of the
 * service.
 */
export function openDatabase(
  {
    audit,
    ...options
  }: Pick<DatabaseOptions, 'url' | 'directUrl' | 'schema' | 'entities' | 'poolSize' | 'subscribers'> & {
    /** Audit log of the service, and the keyring for the MACs of its entries. */
    readonly audit: { readonly table: AuditTable; readonly keys: EntryKeys };
  },
  {
    logger,
    metrics,
    health,
    runner,
    clock,
  }: Pick<ServiceParts, 'logger' | 'metrics' | 'health' | 'runner' | 'clock'>,
): Database {
  const database = createDatabase({ ...options, entries: createEntryGuard(audit), logger });
  runner.own('database', database.close);
  exposeConnections(database, metrics);
  exposeServerLoad(database, metrics);
  health.addCheck('database', database.ping);
  runner.own('clock', clock.follow({ name: 'PostgreSQL', read: database.clockMs }));
  health.addCheck('clock', clock.check);
  return database;
}
