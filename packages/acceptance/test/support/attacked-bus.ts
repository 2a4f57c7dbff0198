import {
  importedApi,
  processesOnBus,
  toProvisionUser,
  toStreamsUser,
} from '@rubrica/contracts/messages/accounts';
import { buckets, type ConsumerDefinition, consumers, streams } from '@rubrica/contracts/messages/messages';
import { services } from '@rubrica/contracts/shared/enumerations';
import { pollFor, testNats } from '@rubrica/testkit';
import { busAuthorization } from '@rubrica/testkit/nats';
import { provisionStreams } from '@rubrica/wiring/provision';
import { connect, type NatsConnection } from 'nats';

/** Streams of the tables, each with one of its subjects and its consumers. */
export const targets = [
  ...streams.map(({ name, subjects: [subject = ''] }) => ({ name, subject: subject.replace('>', 'x.y') })),
  ...buckets.map(({ bucket }) => ({ name: `OBJ_${bucket}`, subject: `$O.${bucket}.C.x.0` })),
].map((stream) => ({
  ...stream,
  durables: Object.values<ConsumerDefinition>(consumers)
    .filter((one) => one.stream === stream.name)
    .map(({ durable }) => durable),
}));

const provisioned = ['intake', 'generation', 'notifier'] as const;

/** Users with the credentials of a running service; terms has no streams. */
export const serviceUsers = [
  ...services,
  ...services.filter((service) => service !== 'terms').map((service) => toStreamsUser(service)),
];

/** Users of the provisioning steps. */
export const provisionUsers = provisioned.map((service) => toProvisionUser(service));

export interface AttackedBus extends AsyncDisposable {
  as(user: string): Promise<NatsConnection>;
  /** Connection in the account of JetStream, with all rights. */
  readonly observer: NatsConnection;
  /** Creates streams and consumers as in the tables, empty. */
  provision(): Promise<void>;
  /** Adds a message to each. */
  fill(): Promise<void>;
  /** Reads the parts that an attack may not change, by stream: settings, consumers, existing messages. */
  picture(): Promise<Record<string, unknown>>;
  /** Counts the messages of the subject in all streams. */
  onFile(subject: string): Promise<number>;
}

/** Starts a real nats-server with the configuration of a deployment. */
export async function attackedBus(): Promise<AttackedBus> {
  await using owned = new AsyncDisposableStack();
  const passwords = Object.fromEntries(processesOnBus.map((name) => [name, toPassword(name)]));
  const extraConfig = await busAuthorization({ passwords, observers: { observer: 'p-observer' } });
  const nats = owned.use(await testNats({ extraConfig }));
  const connections: NatsConnection[] = [];
  owned.defer(async () => void (await Promise.all(connections.map((one) => one.close()))));
  const as = async (user: string) => {
    const pass = toPassword(user);
    const connection = await connect({ servers: nats.url, user, pass, inboxPrefix: `_INBOX_${user}` });
    connections.push(connection);
    return connection;
  };
  const observer = await as('observer');
  const manager = await observer.jetstreamManager();
  const provision = async () => {
    for (const { name } of targets) await manager.streams.delete(name).catch(() => undefined);
    for (const owner of provisioned) {
      const natsUser = toProvisionUser(owner);
      const settings = { natsUser, natsPassword: toPassword(natsUser) };
      const connection = { url: nats.url, apiPrefix: importedApi };
      // nats-server answers a deletion before the files are gone, and rejects the same name until then.
      await pollFor(() => provisionStreams(owner, connection, settings, console).then(() => true), {
        deadlineMs: 10_000,
        what: `streams of ${owner}`,
      });
    }
  };
  const resources = owned.move();
  return {
    as,
    observer,
    provision,
    async fill() {
      await provision();
      for (const { subject } of targets) await observer.request(subject, 'kept');
    },
    async picture() {
      const seen: Record<string, unknown> = {};
      for await (const { config, state } of manager.streams.list()) {
        const own = await manager.consumers.list(config.name).next();
        const kept = { first: state.first_seq, removed: state.num_deleted ?? 0, any: state.messages > 0 };
        seen[config.name] = { config, kept, consumers: own.map((consumer) => consumer.config) };
      }
      return seen;
    },
    async onFile(subject) {
      let count = 0;
      for (const { name } of targets) {
        const { state } = await manager.streams.info(name, { subjects_filter: subject });
        count += state.subjects?.[subject] ?? 0;
      }
      return count;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Returns the password that both users of a service share. */
function toPassword(user: string): string {
  return `p-${user.replace(/-(streams|calls)$/, '')}`;
}
