import { importedApi } from '@rubrica/contracts/messages/accounts';
import {
  buckets,
  type ConsumerDefinition,
  consumers,
  listeners,
  publishedStreams,
  publishers,
  streams,
} from '@rubrica/contracts/messages/messages';
import {
  answeringServices,
  type OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { Call } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import { askedAt } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';

/** What an account imports from the one that owns JetStream, by the subjects it has there. */
export interface Imports {
  /** What it may publish to there. */
  readonly asks: readonly string[];
  /** What it may hear of there. */
  readonly hears: readonly string[];
}

const api = '$JS.API.';

/** Under which subject an account of its own finds what JetStream's account has under this one. */
export function localSubject(subject: string): string {
  return subject.startsWith(api) ? `${importedApi}.${subject.slice(api.length)}` : subject;
}

/** Every call that the tables let a service make, and the aborts of such calls. */
export function callRights(caller: ServiceName): string[] {
  return [...callsBetweenServices(caller), ...operatorRights(caller)];
}

/** What a service's connection for streams takes from the account of JetStream; nothing for a service without streams. */
export function streamImports(service: ServiceName): Imports {
  return {
    asks: [
      ...(publishers[service] ?? []),
      // Whether it is still the stream that was published to; see the rebuild of streams.
      ...publishedStreams(service).map(({ name }) => `${api}STREAM.INFO.${name}`),
      ...consumerRights(service),
      ...buckets.flatMap(({ bucket }) => bucketRights[service]?.(bucket) ?? []),
    ],
    hears: listeners[service] ?? [],
  };
}

/** Makes and updates the streams and consumers that the service owns; reads and removes no message. */
export function provisionImports(service: ServiceName): Imports {
  const own = [
    ...streams.filter(({ owner }) => owner === service).map(({ name }) => name),
    ...buckets.filter(({ owner }) => owner === service).map(({ bucket }) => `OBJ_${bucket}`),
  ];
  const ofStreams = own.flatMap((name) =>
    ['INFO', 'CREATE', 'UPDATE'].map((verb) => `${api}STREAM.${verb}.${name}`),
  );
  const ofConsumers = consumersOf(service).flatMap(({ stream, durable }) => [
    `${api}CONSUMER.INFO.${stream}.${durable}`,
    `${api}CONSUMER.CREATE.${stream}.${durable}.>`,
  ]);
  return { asks: [...ofStreams, ...ofConsumers], hears: [] };
}

/**
 * A bucket is a stream with subjects of its own: reading, writing and purging are separate. The gateway and its
 * owner write chunks, each once; its owner removes them.
 */
const bucketRights: Readonly<Partial<Record<ServiceName, (bucket: string) => readonly string[]>>> = {
  gateway: (bucket) => [
    `$O.${bucket}.C.*.*`,
    `${api}STREAM.MSG.GET.OBJ_${bucket}`,
    `${api}DIRECT.GET.OBJ_${bucket}`,
  ],
  intake: (bucket) => [
    `$O.${bucket}.C.*.*`,
    `${api}STREAM.INFO.OBJ_${bucket}`,
    `${api}STREAM.PURGE.OBJ_${bucket}`,
    `${api}STREAM.MSG.DELETE.OBJ_${bucket}`,
    `${api}STREAM.MSG.GET.OBJ_${bucket}`,
    `${api}DIRECT.GET.OBJ_${bucket}`,
  ],
};

function callsBetweenServices(caller: ServiceName): string[] {
  return services.flatMap((service) => {
    const named = Object.entries<Call>(serviceCalls[service])
      .filter(([, { callers }]) => callers.includes(caller))
      .map(([name]) => `${askedAt('rpc', service, caller)}.${name}`);
    return named.length === 0 ? [] : [...named, `${askedAt('rpc', service, caller)}._cancel`];
  });
}

/** The gateway alone passes on what operators ask. */
function operatorRights(caller: ServiceName): string[] {
  if (caller !== 'gateway') return [];
  const named = Object.entries(operatorProcedures).flatMap(([path, row]) => {
    if (row.service === 'gateway') return [];
    return answeringServices(path as OperatorPath).map(
      (service) => `${askedAt('ops', service, caller)}.${path}`,
    );
  });
  const cancels = services
    .filter((one) => one !== 'gateway')
    .map((service) => `${askedAt('ops', service, caller)}._cancel`);
  return [...named.toSorted(), ...cancels];
}

/** Its own messages, their acknowledgements, and the dead letters of what it works on. */
function consumerRights(service: ServiceName): string[] {
  return consumersOf(service).flatMap(({ stream, durable, filterSubject }) => [
    `dlq.${filterSubject}`,
    `${api}CONSUMER.INFO.${stream}.${durable}`,
    `${api}CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ]);
}

function consumersOf(service: ServiceName): ConsumerDefinition[] {
  return Object.values<ConsumerDefinition>(consumers).filter(({ owner }) => owner === service);
}
