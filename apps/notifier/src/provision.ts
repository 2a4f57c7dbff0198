import { createLogger } from '@rubrica/process/log';
import { provisionSchema, provisionStreams } from '@rubrica/wiring/provision';
import { readProvisioningConfig } from './config.ts';
import { releaseSchema } from './store/schema.ts';

/** Brings schema, streams and consumers up to date before a release starts. Safe to repeat. */
export async function run(): Promise<void> {
  const { log, nats, database, provision } = readProvisioningConfig();
  const logger = createLogger({ service: 'notifier-provision', ...log });

  await provisionSchema({
    ...releaseSchema,
    database,
    ownerUrl: provision.databaseOwnerUrl,
    sandbox: provision.sandbox,
    adoptAuditHours: provision.adoptAuditHours,
    baseUrl: provision.baseUrl,
    logger,
  });
  await provisionStreams('notifier', nats, provision, logger);
}
