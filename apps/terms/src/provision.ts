import { createEntryGuard } from '@rubrica/audit/entries';
import { createDatabase } from '@rubrica/database/connection';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { systemClock } from '@rubrica/process/time';
import { openRowGuard } from '@rubrica/wiring/database';
import { provisionSchema } from '@rubrica/wiring/provision';
import { warnOfMissingTerms } from './active-terms/warn-of-missing-terms.ts';
import { readProvisioningConfig } from './config.ts';
import { readSeedTerms } from './seed-terms/seed-file.ts';
import { seedTerms } from './seed-terms/seed-terms.ts';
import { auditLog } from './store/audit-log.ts';
import { entities, guardedTables, releaseSchema, schema } from './store/schema.ts';
import { sealVersions } from './store/seal-versions.ts';

/** Brings the schema up to date and inserts first terms, before a release starts. Safe to repeat. */
export async function run(): Promise<void> {
  const { log, database: access, keys, provision } = readProvisioningConfig();
  const logger = createLogger({ service: 'terms-provision', ...log });

  await provisionSchema({
    ...releaseSchema,
    database: access,
    ownerUrl: provision.databaseOwnerUrl,
    sandbox: provision.sandbox,
    adoptAuditHours: provision.adoptAuditHours,
    baseUrl: provision.baseUrl,
    logger,
  });

  const keyring = await loadKeyring(keys, 'terms');
  const metrics = createMetrics({ service: 'terms-provision' });
  const rows = openRowGuard({ keyring, tables: guardedTables }, { logger, metrics });
  {
    await using owner = createDatabase({
      url: provision.databaseOwnerUrl,
      schema,
      entities,
      logger,
      poolSize: 1,
    });
    const count = await sealVersions(owner, { rows });
    if (count > 0) logger.info({ count }, 'versions of the previous release sealed');
  }

  const entries = createEntryGuard({ table: auditLog.table, keys: keyring });
  await using database = createDatabase({ ...access, schema, entities, entries, logger });
  if (provision.seedFile !== undefined) {
    const seeds = await readSeedTerms(provision.seedFile);
    const count = await seedTerms({ database, rows, clock: systemClock }, seeds);
    logger.info({ count }, 'terms seeded');
  }
  await warnOfMissingTerms({ database, logger });
}
