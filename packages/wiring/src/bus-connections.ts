import type { BusOptions } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { natsSettings } from '@rubrica/process/config';
import type { z } from 'zod';
import { busTls } from './bus-tls.ts';

export type NatsSettings = z.output<typeof natsSettings>;
/** Settings of a connection for calls. */
export type CallsSettings = Omit<NatsSettings, 'streamsUser' | 'apiPrefix'>;

/** Builds the options of a service's connection for calls. */
export function callsConnection(name: string, nats: Omit<CallsSettings, 'seals'>): BusOptions {
  const { url, user, password } = nats;
  return { servers: url.split(','), user, password, ...busTls(nats, user), name };
}

/** Builds the options of a service's connection for streams. */
export function streamsConnection(name: ServiceName, nats: NatsSettings): BusOptions {
  const { streamsUser: user = nats.user, apiPrefix } = nats;
  // Its inbox has the name of the user, or of the service if one user has both connections.
  return { ...callsConnection(nats.streamsUser ?? name, { ...nats, user }), apiPrefix };
}
