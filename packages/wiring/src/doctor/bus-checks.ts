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
import { toCallSubject, toServiceSubject } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import type { keySettings } from '@rubrica/process/config';
import { loadKeyring } from '@rubrica/process/keyring';
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

/** Creates the checks of the connection for calls; `further` checks run if it works. */
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
        const refused = await refusedSubjects(bus, listTrialSubjects(service));
        assertNone(refused.map((subject) => `${subject} is refused`));
        return 'own inbox, own calls, and those of the services that it calls';
      }),
    remedy: rightsRemedy,
  };
  return [
    connectionCheck('bus', options, 'NATS_USER'),
    rights,
    ...further.map(({ look, ...facts }) => ({
      ...facts,
      look: async () => withBus({ ...options(), seals: await loadSeals(service, { nats, keys }) }, look),
    })),
  ];
}

/** Creates the checks of the connection for streams, and of the streams that the service uses. */
export function streamsChecks(service: ServiceName, nats: NatsSettings): CheckGroup {
  const options = () => streamsConnection(service, nats);
  return [
    connectionCheck('streams', options, 'NATS_STREAMS_USER'),
    {
      name: 'jetstream',
      look: () => withBus(options(), (bus) => checkStreams(service, bus)),
      remedy: `Run provisioning of ${listOwners(service).join(', ')} (node main.mjs provision); where a subject is forbidden: ${rightsRemedy}`,
    },
  ];
}

/** Loads seals for the doctor, with the time of its machine; the running service has the time of its database. */
async function loadSeals(
  service: ServiceName,
  { nats, keys }: { readonly nats: CallsSettings; readonly keys: KeySettings },
): Promise<BusSeals> {
  const seals = (await loadKeyring(keys, service)).openCallSeals({ nowMs: Date.now });
  return { ...seals, required: nats.seals === 'required' };
}

function connectionCheck(name: string, options: () => BusOptions, user: string): Check {
  return {
    name,
    look: () => withBus(options(), async (bus) => `connected to ${bus.nc.getServer()} as ${options().user}`),
    remedy: `Look whether nats-server runs where NATS_URL says, and at ${user}, NATS_PASSWORD and NATS_TLS_DIRECTORY.`,
  };
}

async function withBus<Result>(options: BusOptions, work: (bus: Bus) => Promise<Result>): Promise<Result> {
  await using bus = await connectBus({ ...options, triesOnce: true, onFault: () => undefined });
  return await work(bus);
}

/** Lists subjects to try: an abort of a nonexistent call, and unused names, which have no effect on listeners. */
function listTrialSubjects(service: ServiceName): TriedSubjects {
  const called = services.filter((name) =>
    Object.values<Call>(serviceCalls[name]).some(({ callers }) => callers.includes(service)),
  );
  const answers = Object.keys(serviceCalls[service]).length > 0;
  return {
    publish: called.map((name) => `${toCallSubject('rpc', name, service)}._cancel`),
    subscribe: [
      { subject: `_INBOX_${service}.doctor` },
      ...(answers ? (['rpc', 'ops'] as const) : []).map((kind) => ({
        subject: `${toServiceSubject(kind, service)}.doctor.none`,
        queue: service,
      })),
    ],
  };
}

/** Tries each right with a call that changes nothing; all at once, because unanswered ones take 5 s. */
async function checkStreams(service: ServiceName, bus: Bus): Promise<string> {
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
      .map((name) => (name as PromiseRejectedResult).reason.message),
  );
  return `${tried.length} of ${tried.length} subjects, consumers and buckets answer`;
}

const bucketUsers: readonly ServiceName[] = ['gateway', 'intake'];

function listOwners(service: ServiceName): readonly ServiceName[] {
  // It has nothing of its own on the bus, and no provisioning.
  if (service === 'gateway') return ['intake'];
  return service === 'intake' ? ['intake', 'generation', 'notifier'] : ['intake', service];
}
