import { createEntryGuard, type EntryKeys } from '@rubrica/audit/entries';
import { auditGrants } from '@rubrica/audit/migrations';
import { createDatabase, type Database } from '@rubrica/database/connection';
import { migrate, readMigrations } from '@rubrica/database/migrate';
import { createLogger } from '@rubrica/process/log';
import type { TestDatabases, TestService } from '@rubrica/testkit';
import { auditLog } from '../../src/store/audit-log.ts';
import { entities, releaseSchema, schema } from '../../src/store/schema.ts';

export const silentLogger = createLogger({ service: 'test', level: 'silent', format: 'json' });

/** The notifier's schema, migrated, in a database of its own. */
export async function notifierSchema(databases: TestDatabases): Promise<TestService> {
  const migrated = await databases.fromTemplate('notifier', async (template) => {
    const { ownerUrl, appRole } = await template.createService(schema);
    await migrate({
      sandbox: { isWanted: true, isLocal: true },
      ...{ ownerUrl, schema, appRole },
      migrations: [
        ...releaseSchema.base,
        ...(await readMigrations(new URL('../../migrations/', import.meta.url))),
      ],
      grants: auditGrants(auditLog.table, { schema, appRole }),
      logger: silentLogger,
    });
  });
  return migrated.createService('notifier');
}

/** @param keys those of the notifier, for the entries of its audit log */
export function openNotifierDatabase(service: TestService, keys: EntryKeys): Database {
  const entries = createEntryGuard({ table: auditLog.table, keys });
  return createDatabase({ url: service.appUrl, schema, entities, entries, logger: silentLogger });
}
