import { consumers, listeners, publishers, streams } from '@rubrica/contracts/messages/messages';
import type { Call } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { type Deployable, settingsOf } from '../settings-of.ts';

/** A kind of place that pods connect to. */
export type Place =
  | 'bus'
  | 'database'
  | 'gateway'
  | 'mail'
  | 'store'
  | 'collector'
  | 'file-checker'
  | 'internet';

export interface Connection {
  readonly place: Place;
  readonly running: boolean;
  /** The provisioning step too, or alone. */
  readonly provisioning: boolean;
}

/** Settings that name what a process connects to. Those that only stand in links and certificates are not here. */
const placeOfSetting: Readonly<Record<string, Place>> = {
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

const places: readonly Place[] = [
  'bus',
  'database',
  'gateway',
  'mail',
  'store',
  'collector',
  'file-checker',
  'internet',
];

/** What a service's pods and those of its provisioning step connect to, by its settings and by the tables of calls. */
export async function connectionsOf(service: Deployable): Promise<Connection[]> {
  const { running, provisioning } = await settingsOf(service);
  const ofRunning = placesOf(running);
  const ofProvisioning = placesOf(provisioning);
  // The step for streams reads NATS_URL as the service does, and has a user of its own beside it.
  if (provisioning.some(({ env }) => env === 'NATS_PROVISION_USER')) ofProvisioning.add('bus');
  const onBus = service !== 'console' && isOnBus(service);
  if (ofRunning.has('bus') !== onBus)
    throw new Error(`${service}: its settings and the tables of calls disagree whether it is on the bus`);
  return places
    .map((place) => ({
      place,
      running: ofRunning.has(place),
      provisioning: ofProvisioning.has(place),
    }))
    .filter(({ running: one, provisioning: other }) => one || other);
}

function placesOf(rows: readonly { readonly env: string }[]): Set<Place> {
  return new Set(rows.flatMap(({ env }) => placeOfSetting[env] ?? []));
}

/** Whether it calls, is called, or works on a stream. */
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
