import { type Bus, connectBus } from '@rubrica/bus';
import { createDatabase, type Database } from '@rubrica/database';
import type { Keyring, ServiceParts } from '@rubrica/service';
import type { GenerationConfig } from './config.ts';
import type { Issuers } from './issuers/issuer.ts';
import { readAuthorityFile } from './issuers/local/authority-file.ts';
import { openAuthorities } from './issuers/local/open-authorities.ts';
import { entities, schema } from './store/schema.ts';

export function openDatabase(config: GenerationConfig, { logger, health, runner }: ServiceParts): Database {
  const database = createDatabase({ url: config.database.url, schema, entities, logger, poolSize: 8 });
  runner.own('database', database.close);
  health.addCheck('database', database.ping);
  return database;
}

export async function openBus({ nats }: GenerationConfig, parts: ServiceParts): Promise<Bus> {
  const { logger, health, runner } = parts;
  const bus = await connectBus({
    servers: nats.url.split(','),
    user: nats.user,
    password: nats.password,
    name: 'generation',
    onFault: (err, where) => logger.error({ err, component: where }, 'the bus met a fault'),
  });
  runner.own('bus', bus.drain);
  health.addCheck('nats', () => {
    if (!bus.isConnected()) throw new Error('not connected');
  });
  // Only refused credentials end a connection for good. Nothing can be served then: crash, so that it is seen.
  void bus.closed.then((reason) => {
    if (reason !== undefined) throw reason;
  });
  return bus;
}

/** @throws Error when the provisioning step has not made the authorities, or their keys cannot be opened */
export async function openIssuers(
  { authority }: GenerationConfig,
  keyring: Pick<Keyring, 'open'>,
): Promise<Issuers> {
  const records = await readAuthorityFile(authority.directory);
  if (records === undefined) {
    throw new Error(`${authority.directory} holds no authorities: run "npm run provision" first`);
  }
  return openAuthorities(records, keyring.open);
}
