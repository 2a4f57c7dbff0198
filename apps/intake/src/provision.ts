import { connectBus, ensureConsumers, ensureStreams } from '@rubrica/bus';
import { consumers, streams } from '@rubrica/contracts';
import { createDatabase } from '@rubrica/database';
import { migrate, readMigrations } from '@rubrica/database/migrate';
import { createLogger, loadKeyring } from '@rubrica/service';
import { readProvisioningConfig } from './config.ts';
import { entities, schema } from './entities.ts';
import { insertSeed } from './seed/insert-seed.ts';
import { readSeed } from './seed/seed-file.ts';

/** The step before a release starts: schema, streams, first partners and operators. Safe to repeat. */
const { log, nats, database: access, keys, provision } = readProvisioningConfig();
const logger = createLogger({ service: 'intake-provision', ...log });

await migrate({
  ownerUrl: provision.databaseOwnerUrl,
  schema,
  appRole: decodeURIComponent(new URL(access.url).username),
  migrations: await readMigrations(new URL('../migrations/', import.meta.url)),
  logger,
});

const bus = await connectBus({
  servers: nats.url.split(','),
  user: provision.natsUser,
  password: provision.natsPassword,
  name: 'provision',
});
await ensureStreams(
  bus,
  streams.filter(({ owner }) => owner === 'intake'),
);
await ensureConsumers(
  bus,
  Object.values(consumers).filter(({ owner }) => owner === 'intake'),
);
await bus.close();

if (provision.seedFile !== undefined) {
  await using database = createDatabase({ url: access.url, schema, entities, logger });
  const keyring = await loadKeyring(keys, 'intake');
  const count = await insertSeed({ sql: database, keyring }, await readSeed(provision.seedFile));
  logger.info({ count }, 'partners and operators seeded');
}
