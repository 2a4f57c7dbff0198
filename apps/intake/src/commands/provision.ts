import { createEntryGuard } from '@rubrica/audit/entries';
import { createDatabase } from '@rubrica/database/connection';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger, type Logger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { systemClock, uuidv7 } from '@rubrica/process/time';
import { provisionSchema, provisionStreams } from '@rubrica/wiring/provision';
import { auditLog } from '../base/audit-log.ts';
import { readProvisioningConfig } from '../config.ts';
import { createIntakeRowGuard, entities, releaseSchema, schema } from '../entities.ts';
import { endAdoption, reopenAdoption } from '../requests/request/registered/reopen-adoption.ts';
import { findMissingRows } from './seed/find-missing-rows.ts';
import { inviteFirstAdministrators } from './seed/first-administrators.ts';
import { readSeed } from './seed/seed-file.ts';
import { seedOperators } from './seed/seed-operators.ts';
import { seedPartners } from './seed/seed-partners.ts';

type ProvisioningConfig = ReturnType<typeof readProvisioningConfig>;

/** Brings schema and streams up to date and inserts first partners and operators, before a release starts. Safe to repeat. */
export async function run(): Promise<void> {
  const config = readProvisioningConfig();
  const logger = createLogger({ service: 'intake-provision', ...config.log });
  const { nats, provision, evidenceBucketBytes: bucketBytes } = config;
  await bringSchemaUpToDate(config, logger);
  await provisionStreams('intake', nats, { ...provision, bucketBytes }, logger);
  await insertFirstRows(config, logger);
}

async function bringSchemaUpToDate(config: ProvisioningConfig, logger: Logger): Promise<void> {
  const { database, provision, adoptHours } = config;
  await provisionSchema({
    ...releaseSchema,
    database,
    ownerUrl: provision.databaseOwnerUrl,
    sandbox: provision.sandbox,
    adoptAuditHours: provision.adoptAuditHours,
    baseUrl: provision.baseUrl,
    logger,
  });
  await using owner = createDatabase({ url: provision.databaseOwnerUrl, schema, entities: [], logger });
  if (adoptHours !== undefined) {
    await reopenAdoption(owner, adoptHours);
    logger.warn({ reason: `ADOPT_REQUESTS_HOURS=${adoptHours}` }, 'deadline for requests without a MAC set');
  }
  await endAdoption(owner);
}

async function insertFirstRows(config: ProvisioningConfig, logger: Logger): Promise<void> {
  const { database: access, keys, provision, firstAdministrators } = config;
  const keyring = await loadKeyring(keys, 'intake');
  const rows = createIntakeRowGuard(keyring, {
    logger,
    metrics: createMetrics({ service: 'intake-provision' }),
  });
  const subscribers = [rows.subscriber];
  const entries = createEntryGuard({ table: auditLog.table, keys: keyring });
  await using database = createDatabase({ ...access, schema, entities, subscribers, entries, logger });
  if (provision.seedFile !== undefined) {
    const { partners, operators } = await readSeed(provision.seedFile);
    const count =
      (await seedPartners({ sql: database, keyring, rows }, partners)) +
      (await seedOperators({ sql: database, rows }, operators));
    logger.info({ count }, 'partners and operators seeded');
  }
  if (firstAdministrators.length > 0) {
    const deps = { database, keyring, newId: uuidv7, clock: systemClock };
    const count = await inviteFirstAdministrators(deps, firstAdministrators);
    logger.info({ count }, 'invitations queued for first administrators');
  }
  for (const reason of await findMissingRows(database)) logger.warn({ reason }, 'required rows missing');
}
