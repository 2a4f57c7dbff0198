import { type Bus, connectBus } from '@rubrica/bus';
import { createDatabase, type Database } from '@rubrica/database';
import type { ServiceParts } from '@rubrica/service';
import type { NotifierConfig } from './config.ts';

/** The schema this service owns. It has no entities: its few queries are written out where they are used. */
export const schema = 'notifier';

export function openDatabase(
  { database: { url } }: NotifierConfig,
  { logger, health, runner }: ServiceParts,
): Database {
  const database = createDatabase({ url, schema, entities: [], logger });
  runner.own('database', database.close);
  health.addCheck('database', database.ping);
  return database;
}

export async function openBus({ nats }: NotifierConfig, parts: ServiceParts): Promise<Bus> {
  const { logger, health, runner } = parts;
  const bus = await connectBus({
    servers: nats.url.split(','),
    user: nats.user,
    password: nats.password,
    name: 'notifier',
    onFault: (err, where) => logger.error({ err, component: where }, 'the bus met a fault'),
  });
  runner.own('bus', bus.drain);
  health.addCheck('nats', () => {
    if (!bus.isConnected()) throw new Error('not connected');
  });
  // Only refused credentials end a connection for good. Nothing can be done then: crash, so that it is seen.
  void bus.closed.then((reason) => {
    if (reason !== undefined) throw reason;
  });
  return bus;
}
