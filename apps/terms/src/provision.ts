import { createDatabase } from '@rubrica/database';
import { createLogger, systemClock } from '@rubrica/process';
import { provisionSchema } from '@rubrica/wiring/provision';
import { warnOfMissingTerms } from './active-terms/warn-of-missing-terms.ts';
import { readProvisioningConfig } from './config.ts';
import { readSeedTerms } from './seed-terms/seed-file.ts';
import { seedTerms } from './seed-terms/seed-terms.ts';
import { auditLog } from './store/audit-log.ts';
import { entities, packageMigrations, schema } from './store/schema.ts';

/** The step before a release starts: brings the schema up to date and inserts first terms. Safe to repeat. */
const { log, database: access, provision } = readProvisioningConfig();
const logger = createLogger({ service: 'terms-provision', ...log });

await provisionSchema({
  schema,
  database: access,
  ownerUrl: provision.databaseOwnerUrl,
  folder: new URL('../migrations/', import.meta.url),
  base: packageMigrations,
  audit: auditLog.table,
  sandbox: provision.sandbox,
  baseUrl: provision.baseUrl,
  logger,
});

await using database = createDatabase({ ...access, schema, entities, logger });
if (provision.seedFile !== undefined) {
  const seeds = await readSeedTerms(provision.seedFile);
  const count = await seedTerms({ database, clock: systemClock }, seeds);
  logger.info({ count }, 'terms seeded');
}
await warnOfMissingTerms({ database, logger });
