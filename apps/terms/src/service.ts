import { type Bus, connectBus, serveRouter } from '@rubrica/bus';
import { createDatabase, type Database } from '@rubrica/database';
import {
  type BuiltService,
  createCallContext,
  createCallMetrics,
  loadKeyring,
  type ServiceParts,
  systemClock,
  uuidv7,
} from '@rubrica/service';
import type { TermsConfig } from './config.ts';
import type { TermsDeps } from './context.ts';
import { operatorRouter, serviceRouter } from './router.ts';
import { entities, schema } from './store/schema.ts';

/** Wires the service. What is owned first is stopped last: calls end before the bus, the bus before the database. */
export async function buildService(config: TermsConfig, parts: ServiceParts): Promise<BuiltService> {
  const { logger, metrics } = parts;
  const keyring = await loadKeyring(config.keys, 'terms');
  const database = openDatabase(config, parts);
  const bus = await openBus(config, parts);
  const deps: TermsDeps = { database, clock: systemClock, newId: uuidv7 };
  const callContext = createCallContext(keyring, logger, createCallMetrics(metrics));
  const served = {
    queue: 'terms',
    createContext: async (call: Parameters<typeof callContext>[0]) => ({
      ...(await callContext(call)),
      ...deps,
    }),
  };
  return {
    async start() {
      const forServices = await serveRouter(bus, {
        ...served,
        router: serviceRouter,
        subjectPrefix: 'rpc.v1.terms',
      });
      parts.runner.own('service router', () => forServices.stop());
      const forOperators = await serveRouter(bus, {
        ...served,
        router: operatorRouter,
        subjectPrefix: 'ops.v1.terms',
      });
      parts.runner.own('operator router', () => forOperators.stop());
    },
  };
}

function openDatabase(
  { database: { url } }: TermsConfig,
  { logger, health, runner }: ServiceParts,
): Database {
  const database = createDatabase({ url, schema, entities, logger });
  runner.own('database', database.close);
  health.addCheck('database', database.ping);
  return database;
}

async function openBus({ nats }: TermsConfig, { logger, health, runner }: ServiceParts): Promise<Bus> {
  const bus = await connectBus({
    servers: nats.url.split(','),
    user: nats.user,
    password: nats.password,
    name: 'terms',
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
