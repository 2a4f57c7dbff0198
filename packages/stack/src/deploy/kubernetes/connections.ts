import { consumers, listeners, publishers, streams } from '@rubrica/contracts/messages/messages';
import type { Call } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { type Deployable, readDeployableSettings } from '../read-deployable-settings.ts';

/** Kind of destination that pods connect to. */
export type PodDestination =
  | 'bus'
  | 'database'
  | 'gateway'
  | 'mail'
  | 'store'
  | 'collector'
  | 'file-checker'
  | 'internet';

export interface Connection {
  readonly place: PodDestination;
  readonly running: boolean;
  /** True if the provisioning step connects too, or only it. */
  readonly provisioning: boolean;
}

/** Settings that name a destination of a process. Settings that only appear in links and certificates are absent. */
const placesBySetting: Readonly<Record<string, PodDestination>> = {
  NATS_URL: 'bus',
  DATABASE_URL: 'database',
  DATABASE_DIRECT_URL: 'database',
  DATABASE_OWNER_URL: 'database',
  GATEWAY_URL: 'gateway',
  SMTP_URL: 'mail',
  EVIDENCE_S3_BUCKET: 'store',
  FILE_CHECKER_ADDRESS: 'file-checker',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
  REGISTRY_URL: 'internet',
  TAX_REGISTRY_URL: 'internet',
  LIVENESS_URL: 'internet',
  OIDC_ISSUER: 'internet',
  OPERATOR_OIDC_CLIENT_ID: 'internet',
  SMS_URL: 'internet',
  CALLBACK_ALLOWED_NETWORKS: 'internet',
};

const places: readonly PodDestination[] = [
  'bus',
  'database',
  'gateway',
  'mail',
  'store',
  'collector',
  'file-checker',
  'internet',
];

/**
 * Lists the destinations of a service's pods and of its provisioning step, from its settings and the tables of calls.
 */
export async function listConnections(service: Deployable): Promise<Connection[]> {
  const { running, provisioning } = await readDeployableSettings(service);
  const runningPlaces = findPlaces(running);
  const provisioningPlaces = findPlaces(provisioning);
  // The step for streams reads NATS_URL as the service does, and has its own user as well.
  if (provisioning.some(({ env }) => env === 'NATS_PROVISION_USER')) provisioningPlaces.add('bus');
  const onBus = service !== 'console' && isOnBus(service);
  if (runningPlaces.has('bus') !== onBus)
    throw new Error(`${service}: its settings and the tables of calls disagree whether it is on the bus`);
  return places
    .map((place) => ({
      place,
      running: runningPlaces.has(place),
      provisioning: provisioningPlaces.has(place),
    }))
    .filter(({ running: one, provisioning: other }) => one || other);
}

function findPlaces(rows: readonly { readonly env: string }[]): Set<PodDestination> {
  return new Set(rows.flatMap(({ env }) => placesBySetting[env] ?? []));
}

/** Checks if a service calls, is called, or uses a stream. */
function isOnBus(service: ServiceName): boolean {
  const calls = services.some((peer) =>
    Object.values<Call>(serviceCalls[peer]).some(
      ({ callers }) => peer === service || callers.includes(service),
    ),
  );
  const onStreams =
    streams.some(({ owner }) => owner === service) ||
    Object.values(consumers).some(({ owner }) => owner === service) ||
    (publishers[service] ?? []).length + (listeners[service] ?? []).length > 0;
  return calls || onStreams;
}
