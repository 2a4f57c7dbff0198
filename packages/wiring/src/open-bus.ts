import { type Bus, connectBus } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { natsSettings, ServiceParts } from '@rubrica/process';
import type { z } from 'zod';
import { busTls } from './bus-tls.ts';
import { exposeConsumers } from './consumer-metrics.ts';

type NatsSettings = z.output<typeof natsSettings>;
type Parts = Pick<ServiceParts, 'logger' | 'health' | 'runner'>;

/** Connects a service to the bus for calls, with its readiness check and its place in the order of stopping. */
export function openBus(
  name: ServiceName,
  nats: Pick<NatsSettings, 'url' | 'user' | 'password' | 'tlsDirectory'>,
  parts: Parts,
): Promise<Bus> {
  return open({ label: 'bus', check: 'nats', name, nats }, parts);
}

/**
 * Connects it for streams, as a user of an account that imports its own streams and nothing else. Nothing is called or
 * answered there: in an account with both, JetStream would put bytes of a caller's choice into other services' inboxes.
 */
export async function openStreams(
  name: ServiceName,
  nats: NatsSettings,
  parts: Parts & Pick<ServiceParts, 'metrics'>,
): Promise<Bus> {
  const { streamsUser: user = nats.user, apiPrefix } = nats;
  // Its inbox has the name of the user, or of the service where one user has both connections.
  const own = nats.streamsUser ?? name;
  const streams = await open(
    { label: 'streams', check: 'streams', name: own, nats: { ...nats, user }, apiPrefix },
    parts,
  );
  exposeConsumers(name, streams, parts.metrics);
  return streams;
}

interface Connection {
  readonly label: string;
  readonly check: string;
  readonly name: string;
  readonly nats: Pick<NatsSettings, 'url' | 'user' | 'password' | 'tlsDirectory'>;
  readonly apiPrefix?: string;
}

async function open(
  { label, check, name, nats, apiPrefix }: Connection,
  { logger, health, runner }: Parts,
): Promise<Bus> {
  const bus = await connectBus({
    servers: nats.url.split(','),
    user: nats.user,
    password: nats.password,
    ...busTls(nats, nats.user),
    name,
    apiPrefix,
    onFault: (err, where) => logger.error({ err, component: where }, 'the bus met a fault'),
  });
  runner.own(label, bus.drain);
  health.addCheck(check, () => {
    if (!bus.isConnected()) throw new Error('not connected');
  });
  // Only refused credentials end a connection for good. Nothing can be served then: crash, so that it is seen.
  void bus.closed.then((reason) => {
    if (reason !== undefined) throw reason;
  });
  return bus;
}
