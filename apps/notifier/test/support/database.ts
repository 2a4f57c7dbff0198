import { createDatabase, type Database } from '@rubrica/database';
import { migrate, readMigrations } from '@rubrica/database/migrate';
import { createLogger } from '@rubrica/process';
import type { TestPostgres, TestService } from '@rubrica/testkit';
import { auditLog } from '../../src/store/audit-log.ts';
import { auditMigration } from '../../src/store/schema.ts';

export const silentLogger = createLogger({ service: 'test', level: 'silent', format: 'json' });

/** The notifier's schema, migrated, in a database of its own. */
export async function notifierSchema(postgres: TestPostgres): Promise<TestService> {
  const service = await postgres.service('notifier');
  await migrate({
    ownerUrl: service.ownerUrl,
    schema: service.schema,
    appRole: service.appRole,
    migrations: [auditMigration, ...(await readMigrations(new URL('../../migrations/', import.meta.url)))],
    audit: auditLog.table,
    logger: silentLogger,
  });
  return service;
}

export function openNotifierDatabase(service: TestService): Database {
  return createDatabase({ url: service.appUrl, schema: 'notifier', entities: [], logger: silentLogger });
}
