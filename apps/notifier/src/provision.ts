import { createLogger } from '@rubrica/process';
import { provisionSchema, provisionStreams } from '@rubrica/wiring/provision';
import { readProvisioningConfig } from './config.ts';
import { auditLog } from './store/audit-log.ts';
import { packageMigrations, schema } from './store/schema.ts';

/** The step before a release starts: brings schema, streams and consumers up to date. Safe to repeat. */
const { log, nats, database, provision } = readProvisioningConfig();
const logger = createLogger({ service: 'notifier-provision', ...log });

await provisionSchema({
  schema,
  database,
  ownerUrl: provision.databaseOwnerUrl,
  folder: new URL('../migrations/', import.meta.url),
  base: packageMigrations,
  audit: auditLog.table,
  sandbox: provision.sandbox,
  adoptAuditHours: provision.adoptAuditHours,
  baseUrl: provision.baseUrl,
  logger,
});
await provisionStreams('notifier', nats, provision, logger);
