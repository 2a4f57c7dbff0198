import { type ServiceName, services } from '../shared/enumerations.ts';
import { streams } from './messages.ts';

/** Account of nats-server for all users that call each other. It has no JetStream and imports nothing. */
export const callsAccount = 'RPC';

/**
 * Account that owns JetStream. It has no users: services and provisioning steps have their own accounts, which import
 * from it what the tables name. JetStream answers on any reply subject with the rights of the requesting account. So an
 * answer there can do no more than the account that asked.
 */
export const streamsAccount = 'STREAMS';

/**
 * Prefix at which those accounts find the API of JetStream. `$JS.API` is not possible: every account without JetStream
 * has an import there already, through which nats-server itself answers that it has none.
 */
export const importedApi = '$JS.STREAMS.API';

/** Names the bus user for the streams connection of a service. */
export function toStreamsUser(service: ServiceName): string {
  return `${service}-streams`;
}

/** Names the bus user for the provisioning step of a service. */
export function toProvisionUser(service: ServiceName): string {
  return `${service}-provision`;
}

const certifiedDomain = '@bus.rubrica';

/**
 * Names the user in a client's certificate, by which nats-server knows it. It is an e-mail name, because a web server's
 * certificate (`DNS:intake`) must never be taken for a service's.
 */
export function toCertificateUser(user: string): string {
  return `${user}${certifiedDomain}`;
}

/**
 * Processes with a password on the bus: each service, for both of its users, and the provisioning steps of streams.
 */
export const processesOnBus: readonly string[] = [
  ...services,
  ...services.filter((service) => streams.some(({ owner }) => owner === service)).map(toProvisionUser),
];
