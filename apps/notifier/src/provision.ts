import { connectBus, ensureConsumers, ensureStreams } from '@rubrica/bus';
import { consumers, streams } from '@rubrica/contracts';
import { migrate, readMigrations } from '@rubrica/database/migrate';
import { createLogger } from '@rubrica/service';
import { readProvisioningConfig } from './config.ts';
import { schema } from './open-connections.ts';

/** The step before a release starts: brings schema, streams and consumers up to date. Safe to repeat. */
const { log, nats, database, provision } = readProvisioningConfig();
const logger = createLogger({ service: 'notifier-provision', ...log });

await migrate({
  ownerUrl: provision.databaseOwnerUrl,
  schema,
  appRole: decodeURIComponent(new URL(database.url).username),
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
  streams.filter(({ owner }) => owner === 'notifier'),
);
await ensureConsumers(
  bus,
  Object.values(consumers).filter(({ owner }) => owner === 'notifier'),
);
await bus.close();
