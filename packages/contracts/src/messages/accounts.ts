import { type ServiceName, services } from '../shared/enumerations.ts';
import { streams } from './messages.ts';

/** The account of nats-server that all users belong to who call each other. It has no JetStream and imports nothing. */
export const callsAccount = 'RPC';

/**
 * The account that owns JetStream, and has no users. Services and provisioning steps have accounts of their own, which
 * import from it what the tables name: JetStream answers on any reply subject with the rights of the account that the
 * request came from, so that an answer can do there no more than the one who asked.
 */
export const streamsAccount = 'STREAMS';

/**
 * Where those accounts find its API. Not at `$JS.API`: every account without JetStream has an import there already, by
 * which nats-server itself answers that it has none.
 */
export const importedApi = '$JS.STREAMS.API';

/** The bus user of a service's connection for streams. */
export function streamsUserOf(service: ServiceName): string {
  return `${service}-streams`;
}

/** The bus user of a service's provisioning step. */
export function provisionUserOf(service: ServiceName): string {
  return `${service}-provision`;
}

const certifiedDomain = '@bus.rubrica';

/**
 * The name in a client's certificate, by which nats-server knows the user. An e-mail name, because a certificate of a web
 * server (`DNS:intake`) must never be taken for a service's.
 */
export function certifiedUserOf(user: string): string {
  return `${user}${certifiedDomain}`;
}

/** Everybody who has a password on the bus: the services, each for both of its users, and the provisioning of streams. */
export const processesOnBus: readonly string[] = [
  ...services,
  ...services.filter((service) => streams.some(({ owner }) => owner === service)).map(provisionUserOf),
];
