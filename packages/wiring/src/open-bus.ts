import { type Bus, type BusOptions, connectBus } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Keyring, ServiceParts } from '@rubrica/process';
import {
  type CallsSettings,
  callsConnection,
  type NatsSettings,
  streamsConnection,
} from './bus-connections.ts';
import { exposeConsumers } from './consumer-metrics.ts';
import { openSeals } from './open-seals.ts';

type Parts = Pick<ServiceParts, 'logger' | 'health' | 'runner'>;

/**
 * Connects a service to the bus for calls, which are sealed by its keys, with its readiness check and its place in the
 * order of stopping.
 */
export function openBus(
  name: ServiceName,
  { nats, keyring }: { readonly nats: CallsSettings; readonly keyring: Pick<Keyring, 'openCallSeals'> },
  parts: Parts & Pick<ServiceParts, 'metrics' | 'clock'>,
): Promise<Bus> {
  const seals = openSeals({ keyring, setting: nats.seals }, parts);
  return open({ label: 'bus', check: 'nats', options: { ...callsConnection(name, nats), seals } }, parts);
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
  const options = streamsConnection(name, nats);
  const streams = await open({ label: 'streams', check: 'streams', options }, parts);
  exposeConsumers(name, streams, parts.metrics);
  return streams;
}

interface Connection {
  readonly label: string;
  readonly check: string;
  readonly options: BusOptions;
}

async function open({ label, check, options }: Connection, { logger, health, runner }: Parts): Promise<Bus> {
  const bus = await connectBus({
    ...options,
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
