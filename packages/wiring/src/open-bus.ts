import { type Bus, type BusOptions, connectBus } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Keyring } from '@rubrica/process/keyring';
import type { ServiceParts } from '@rubrica/process/runner';
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
 * Connects a service to the bus for calls, which are sealed with its keys, with its readiness check and its cleanup.
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
 * Connects a service for streams, as a user of an account that imports its own streams and nothing else. It neither
 * calls nor answers there: in an account with both, JetStream would deliver bytes of a caller's choice to other
 * services' inboxes.
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
    onFault: (err, where) => logger.error({ err, component: where }, 'bus fault detected'),
  });
  runner.own(label, bus.drain);
  health.addCheck(check, () => {
    if (!bus.isConnected()) throw new Error('not connected');
  });
  // Only refused credentials end a connection permanently. Then nothing can be served: crash, so that it is noticed.
  void bus.closed.then((reason) => {
    if (reason !== undefined) throw reason;
  });
  return bus;
}
