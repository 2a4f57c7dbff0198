import { createDatabase, type Database } from '@rubrica/database';
import { migrate, readMigrations } from '@rubrica/database/migrate';
import { createLogger } from '@rubrica/service';
import type { TestPostgres, TestService } from '@rubrica/testkit';

export const silentLogger = createLogger({ service: 'test', level: 'silent', format: 'json' });

/** The notifier's schema, migrated, in a database of its own. */
export async function notifierSchema(postgres: TestPostgres): Promise<TestService> {
  const service = await postgres.service('notifier');
  await migrate({
    ownerUrl: service.ownerUrl,
    schema: service.schema,
    appRole: service.appRole,
    migrations: await readMigrations(new URL('../../migrations/', import.meta.url)),
    logger: silentLogger,
  });
  return service;
}

export function openNotifierDatabase(service: TestService): Database {
  return createDatabase({ url: service.appUrl, schema: 'notifier', entities: [], logger: silentLogger });
}
