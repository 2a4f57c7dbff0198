import { createDatabase, createEntryGuard } from '@rubrica/database';
import { createLogger, loadKeyring, systemClock } from '@rubrica/process';
import { provisionSchema, provisionStreams } from '@rubrica/wiring/provision';
import { auditLog } from './audit-log.ts';
import { readProvisioningConfig } from './config.ts';
import { auditAuthorities } from './issuers/authorities/audit-authorities.ts';
import { provisionAuthorities } from './issuers/provision-authorities.ts';
import { packageMigrations, schema } from './store/schema.ts';

/**
 * The step before a release starts: schema, streams, the built-in authority where there is none, and OCSP responders
 * that will last. Safe to repeat.
 */
const { log, nats, database: access, keys, provision, address, authority } = readProvisioningConfig();
const logger = createLogger({ service: 'generation-provision', ...log });

await provisionSchema({
  schema,
  database: access,
  ownerUrl: provision.databaseOwnerUrl,
  folder: new URL('../migrations/', import.meta.url),
  base: packageMigrations,
  audit: auditLog.table,
  readOnly: ['known_row'],
  sandbox: provision.sandbox,
  adoptAuditHours: provision.adoptAuditHours,
  baseUrl: address.base,
  logger,
});
await provisionStreams('generation', nats, provision, logger);

const keyring = await loadKeyring(keys, 'generation');
const entries = createEntryGuard({ table: auditLog.table, keys: keyring });
await using sql = createDatabase({ ...access, schema, entities: [], entries, logger, poolSize: 1 });
const audit = auditAuthorities(sql, 'service:generation-provision');
const outcome = await provisionAuthorities({ address, authority }, { keyring, audit, now: systemClock() });
if (outcome === 'created') {
  logger.warn(
    { action: outcome },
    'a built-in authority was made: it is for testing, not for real certificates',
  );
} else if (outcome === 'renewed') {
  logger.info({ action: outcome }, 'OCSP responders were made anew');
}
