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
import { toCallSubject } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';

/** Imports of an account from the account of JetStream, by their subjects there. */
export interface Imports {
  /** Subjects to which it may publish there. */
  readonly asks: readonly string[];
  /** Subjects that it may receive from there. */
  readonly hears: readonly string[];
}

const api = '$JS.API.';

/** Maps a subject of JetStream's account to the subject under which an importing account finds it. */
export function localSubject(subject: string): string {
  return subject.startsWith(api) ? `${importedApi}.${subject.slice(api.length)}` : subject;
}

/** Lists every call that the tables allow a service, and the aborts of such calls. */
export function callRights(caller: ServiceName): string[] {
  return [...callsBetweenServices(caller), ...operatorRights(caller)];
}

/** Lists the imports of a service's connection for streams; none for a service without streams. */
export function streamImports(service: ServiceName): Imports {
  return {
    asks: [
      ...(publishers[service] ?? []),
      // To detect whether it is still the stream that was published to; see the rebuild of streams.
      ...publishedStreams(service).map(({ name }) => `${api}STREAM.INFO.${name}`),
      ...consumerRights(service),
      ...buckets.flatMap(({ bucket }) => bucketRights[service]?.(bucket) ?? []),
    ],
    hears: listeners[service] ?? [],
  };
}

/**
 * Lists the imports to create and update the streams and consumers that the service owns, without rights to read or
 * remove messages.
 */
export function provisionImports(service: ServiceName): Imports {
  const own = [
    ...streams.filter(({ owner }) => owner === service).map(({ name }) => name),
    ...buckets.filter(({ owner }) => owner === service).map(({ bucket }) => `OBJ_${bucket}`),
  ];
  const streamSubjects = own.flatMap((name) =>
    ['INFO', 'CREATE', 'UPDATE'].map((verb) => `${api}STREAM.${verb}.${name}`),
  );
  const ofConsumers = listConsumers(service).flatMap(({ stream, durable }) => [
    `${api}CONSUMER.INFO.${stream}.${durable}`,
    `${api}CONSUMER.CREATE.${stream}.${durable}.>`,
  ]);
  return { asks: [...streamSubjects, ...ofConsumers], hears: [] };
}

/**
 * Rights on a bucket, which is a stream with its own subjects: reading, writing and purging are separate. The gateway
 * and the owner write chunks, each once; only the owner removes them.
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
      .map(([name]) => `${toCallSubject('rpc', service, caller)}.${name}`);
    return named.length === 0 ? [] : [...named, `${toCallSubject('rpc', service, caller)}._cancel`];
  });
}

/** Lists the rights to operators' procedures, which only the gateway forwards. */
function operatorRights(caller: ServiceName): string[] {
  if (caller !== 'gateway') return [];
  const named = Object.entries(operatorProcedures).flatMap(([path, row]) => {
    if (row.service === 'gateway') return [];
    return answeringServices(path as OperatorPath).map(
      (service) => `${toCallSubject('ops', service, caller)}.${path}`,
    );
  });
  const cancels = services
    .filter((one) => one !== 'gateway')
    .map((service) => `${toCallSubject('ops', service, caller)}._cancel`);
  return [...named.toSorted(), ...cancels];
}

/** Lists the rights to consume: own messages, their acknowledgements, and dead letters. */
function consumerRights(service: ServiceName): string[] {
  return listConsumers(service).flatMap(({ stream, durable, filterSubject }) => [
    `dlq.${filterSubject}`,
    `${api}CONSUMER.INFO.${stream}.${durable}`,
    `${api}CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ]);
}

function listConsumers(service: ServiceName): ConsumerDefinition[] {
  return Object.values<ConsumerDefinition>(consumers).filter(({ owner }) => owner === service);
}
