import { createEntryGuard } from '@rubrica/audit/entries';
import { createDatabase } from '@rubrica/database/connection';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { systemClock } from '@rubrica/process/time';
import { provisionSchema, provisionStreams } from '@rubrica/wiring/provision';
import { auditLog } from './certificate/audit-log.ts';
import { readProvisioningConfig } from './config.ts';
import { auditAuthorities } from './issuers/authorities/audit-authorities.ts';
import { provisionAuthorities } from './issuers/provision-authorities.ts';
import { releaseSchema, schema } from './store/schema.ts';

/**
 * Brings schema and streams up to date before a release starts. Creates the built-in authority where there is none, and
 * renews OCSP responders near their end. Safe to repeat.
 */
export async function run(): Promise<void> {
  const { log, nats, database: access, keys, provision, address, authority } = readProvisioningConfig();
  const logger = createLogger({ service: 'generation-provision', ...log });

  await provisionSchema({
    ...releaseSchema,
    database: access,
    ownerUrl: provision.databaseOwnerUrl,
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
      'built-in authority created: for testing only, not for real certificates',
    );
  } else if (outcome === 'renewed') {
    logger.info({ action: outcome }, 'OCSP responders renewed');
  }
}
