import {
  askApi,
  type Bus,
  type BusOptions,
  type BusSeals,
  connectBus,
  refusedSubjects,
  type TriedSubjects,
  tryPublish,
} from '@rubrica/bus';
import {
  buckets,
  type ConsumerDefinition,
  consumers,
  publishers,
} from '@rubrica/contracts/messages/messages';
import type { Call } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import { askedAt, servedAt } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { type keySettings, loadKeyring } from '@rubrica/process';
import type { z } from 'zod';
import {
  type CallsSettings,
  callsConnection,
  type NatsSettings,
  streamsConnection,
} from '../bus-connections.ts';
import { assertNone, type Check, type CheckGroup } from './check.ts';

type KeySettings = z.output<typeof keySettings>;

const rightsRemedy =
  'nats-server must run with the permissions.conf of this release (deploy/nats); reload it by SIGHUP.';

/** Connects for calls; `further` are looked at where that works. */
export function callsChecks(
  service: ServiceName,
  { nats, keys }: { readonly nats: CallsSettings; readonly keys: KeySettings },
  further: readonly (Omit<Check, 'look'> & { look(bus: Bus): Promise<string> })[] = [],
): CheckGroup {
  const options = () => callsConnection(service, nats);
  const rights: Check = {
    name: 'bus rights',
    look: () =>
      withBus(options(), async (bus) => {
        const refused = await refusedSubjects(bus, subjectsOfCalls(service));
        assertNone(refused.map((subject) => `${subject} is refused`));
        return 'own inbox, own calls, and those of the services that it calls';
      }),
    remedy: rightsRemedy,
  };
  return [
    connects('bus', options, 'NATS_USER'),
    rights,
    ...further.map(({ look, ...facts }) => ({
      ...facts,
      look: async () => withBus({ ...options(), seals: await loadSeals(service, { nats, keys }) }, look),
    })),
  ];
}

/** Connects for streams, and looks whether those that the service works with are there. */
export function streamsChecks(service: ServiceName, nats: NatsSettings): CheckGroup {
  const options = () => streamsConnection(service, nats);
  return [
    connects('streams', options, 'NATS_STREAMS_USER'),
    {
      name: 'jetstream',
      look: () => withBus(options(), (bus) => lookAtStreams(service, bus)),
      remedy: `Run provisioning of ${ownersOf(service).join(', ')} (node main.mjs provision); where a subject is forbidden: ${rightsRemedy}`,
    },
  ];
}

/** The running service has the time of its database, and a doctor that of its machine. */
async function loadSeals(
  service: ServiceName,
  { nats, keys }: { readonly nats: CallsSettings; readonly keys: KeySettings },
): Promise<BusSeals> {
  const seals = (await loadKeyring(keys, service)).openCallSeals({ nowMs: Date.now });
  return { ...seals, required: nats.seals === 'required' };
}

function connects(name: string, options: () => BusOptions, user: string): Check {
  return {
    name,
    look: () => withBus(options(), async (bus) => `connected to ${bus.nc.getServer()} as ${options().user}`),
    remedy: `Look whether nats-server runs where NATS_URL says, and at ${user}, NATS_PASSWORD and NATS_TLS_DIRECTORY.`,
  };
}

async function withBus<Result>(options: BusOptions, work: (bus: Bus) => Promise<Result>): Promise<Result> {
  const bus = await connectBus({ ...options, triesOnce: true, onFault: () => undefined });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}

/** An abort of a call that nobody made, and names that nobody has: whoever hears them does nothing. */
function subjectsOfCalls(service: ServiceName): TriedSubjects {
  const called = services.filter((one) =>
    Object.values<Call>(serviceCalls[one]).some(({ callers }) => callers.includes(service)),
  );
  const answers = Object.keys(serviceCalls[service]).length > 0;
  return {
    publish: called.map((one) => `${askedAt('rpc', one, service)}._cancel`),
    subscribe: [
      { subject: `_INBOX_${service}.doctor` },
      ...(answers ? (['rpc', 'ops'] as const) : []).map((kind) => ({
        subject: `${servedAt(kind, service)}.doctor.none`,
        queue: service,
      })),
    ],
  };
}

/** Each is tried by what changes nothing; all at once, because what nobody answers takes 5 s. */
async function lookAtStreams(service: ServiceName, bus: Bus): Promise<string> {
  const own = Object.values<ConsumerDefinition>(consumers).filter(({ owner }) => owner === service);
  const published = [
    ...(publishers[service] ?? []),
    ...own.map(({ filterSubject }) => `dlq.${filterSubject}`),
  ].map((pattern) => pattern.replace(/>$/, 'doctor'));
  const ask = (path: string, body = {}) => askApi(bus, `${bus.apiPrefix}.${path}`, body);
  const tried = [
    ...published.map((subject) => tryPublish(bus, subject)),
    ...own.map(({ stream, durable }) => ask(`CONSUMER.INFO.${stream}.${durable}`)),
    ...(bucketUsers.includes(service) ? buckets : []).map(({ bucket }) =>
      ask(`STREAM.MSG.GET.OBJ_${bucket}`, { last_by_subj: `$O.${bucket}.M.doctor` }),
    ),
  ];
  const settled = await Promise.allSettled(tried);
  assertNone(
    settled
      .filter(({ status }) => status === 'rejected')
      .map((one) => (one as PromiseRejectedResult).reason.message),
  );
  return `${tried.length} of ${tried.length} subjects, consumers and buckets answer`;
}

const bucketUsers: readonly ServiceName[] = ['gateway', 'intake'];

function ownersOf(service: ServiceName): readonly ServiceName[] {
  // It has nothing of its own on the bus, and no provisioning.
  if (service === 'gateway') return ['intake'];
  return service === 'intake' ? ['intake', 'generation', 'notifier'] : ['intake', service];
}
