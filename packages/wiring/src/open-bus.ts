import { type Bus, connectBus } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { natsSettings, ServiceParts } from '@rubrica/process';
import type { z } from 'zod';

/** Connects a service to the bus, with its readiness check and its place in the order of stopping. */
export async function openBus(
  name: ServiceName,
  nats: z.output<typeof natsSettings>,
  { logger, health, runner }: Pick<ServiceParts, 'logger' | 'health' | 'runner'>,
): Promise<Bus> {
  const bus = await connectBus({
    servers: nats.url.split(','),
    user: nats.user,
    password: nats.password,
    name,
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
