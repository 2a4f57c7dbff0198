import { provisionSchema, provisionStreams } from '@rubrica/app/provision';
import { createLogger, loadKeyring, systemClock } from '@rubrica/service';
import { auditTable } from './audit/audit-table.ts';
import { readProvisioningConfig } from './config.ts';
import { readAuthorityFile, writeAuthorityFile } from './issuers/local/authority-file.ts';
import { createAuthorities } from './issuers/local/create-authorities.ts';
import { auditMigration, baseMigration, schema } from './store/schema.ts';

/** The step before a release starts: schema, streams, and the built-in authority where there is none. Safe to repeat. */
const { log, nats, database: access, keys, provision, address, authority } = readProvisioningConfig();
const logger = createLogger({ service: 'generation-provision', ...log });

await provisionSchema({
  schema,
  database: access,
  ownerUrl: provision.databaseOwnerUrl,
  folder: new URL('../migrations/', import.meta.url),
  base: [baseMigration, auditMigration],
  audit: auditTable,
  logger,
});
await provisionStreams('generation', nats.url, provision);

if ((await readAuthorityFile(authority.directory)) === undefined) {
  const keyring = await loadKeyring(keys, 'generation');
  const made = await createAuthorities({
    organization: authority.organization,
    keyAlgorithm: authority.keyAlgorithm,
    pkiBaseUrl: address.pki,
    now: systemClock(),
    seal: (key) => keyring.sealTo('generation', key),
  });
  if (await writeAuthorityFile(authority.directory, made)) {
    logger.warn(
      { count: made.length },
      'a built-in authority was made: it is for testing, not for real certificates',
    );
  }
}
