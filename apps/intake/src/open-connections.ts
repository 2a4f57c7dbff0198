import { type Bus, connectBus } from '@rubrica/bus';
import { createDatabase, type Database } from '@rubrica/database';
import type { ServiceParts } from '@rubrica/service';
import type { IntakeConfig } from './config.ts';
import { entities, schema } from './entities.ts';

export const openDatabase = (config: IntakeConfig, { logger, health, runner }: ServiceParts): Database => {
  const database = createDatabase({ url: config.database.url, schema, entities, logger, poolSize: 12 });
  runner.own('database', database.close);
  health.addCheck('database', database.ping);
  return database;
};

export const openBus = async ({ nats }: IntakeConfig, parts: ServiceParts): Promise<Bus> => {
  const { logger, health, runner } = parts;
  const bus = await connectBus({
    servers: nats.url.split(','),
    user: nats.user,
    password: nats.password,
    name: 'intake',
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
};
