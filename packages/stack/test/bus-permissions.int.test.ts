import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { processesOnBus } from '@rubrica/contracts/messages/accounts';
import { busAuthorization, locateNatsServer, type NatsServer, startNats } from '@rubrica/testkit/nats';
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../src/setup/home.ts';
import { databaseServices, serviceNames } from '../src/setup/services.ts';

const callers = serviceNames;
const streamUsers = ['gateway-streams', 'intake-streams', 'generation-streams', 'notifier-streams'] as const;
const provisionUsers = ['intake-provision', 'generation-provision', 'notifier-provision'] as const;
const connected = [...callers, ...streamUsers, ...provisionUsers] as const;
const users = [...connected, 'operator-calls'] as const;
type User = (typeof users)[number];
/** Both users of a service have its password. */
const passwordOf = (user: string) => `p-${user.replace(/-(streams|calls)$/, '')}`;

let folder: string;
let server: NatsServer;
const connections = new Map<User, NatsConnection>();
const refusals = new Map<User, Set<string>>();
interface Status {
  permissionContext?: { operation: string; subject: string };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rubrica-bus-'));
  server = await startNats({
    directory: folder,
    binary: await locateNatsServer({ binDirectory: join(projectRoot, '.rubrica', 'bin') }),
    logFile: join(folder, 'nats.log'),
    extraConfig: await busAuthorization({
      passwords: Object.fromEntries(processesOnBus.map((name) => [name, passwordOf(name)])),
      observers: { operator: passwordOf('operator') },
    }),
  });
  for (const user of users) {
    const inboxPrefix = `_INBOX_${user}`;
    const connection = await connect({ servers: server.url, user, pass: passwordOf(user), inboxPrefix });
    connections.set(user, connection);
    refusals.set(user, new Set());
    void collectRefusals(connection, refusals.get(user) as Set<string>);
  }
});
afterAll(async () => {
  for (const connection of connections.values()) await connection.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const as = (user: User) => connections.get(user) as NatsConnection;

/** nats-server tells a refusal before it answers the ping behind it. */
async function mayPublish(user: User, subject: string): Promise<boolean> {
  refusals.get(user)?.clear();
  as(user).publish(subject, new Uint8Array(0));
  await as(user).flush();
  await nextTurn();
  return refusals.get(user)?.has(subject) === false;
}

async function maySubscribe(user: User, subject: string, queue = ''): Promise<boolean> {
  let refused = false;
  const subscription = as(user).subscribe(subject, {
    ...(queue === '' ? {} : { queue }),
    callback: (error) => {
      refused ||= error !== null;
    },
  });
  await as(user).flush();
  if (!refused) subscription.unsubscribe();
  return !refused;
}

async function collectRefusals(connection: NatsConnection, found: Set<string>): Promise<void> {
  for await (const status of connection.status()) {
    const { operation, subject } = (status as Status).permissionContext ?? { operation: '', subject: '' };
    if (operation === 'publish') found.add(subject);
  }
}

/** A service that is not named has no calls of its own that would be worth a line. */
const allowed: Partial<Record<User, string[]>> = {
  gateway: [
    'rpc.v2.intake.gateway.requests.register',
    'rpc.v2.intake.gateway._cancel',
    'rpc.v2.terms.gateway.terms.active',
    'rpc.v2.generation.gateway.pki.file',
    'ops.v2.notifier.gateway.deliveries.search',
    'rpc.v2.intake.gateway.claims.view',
    'rpc.v2.intake.gateway.reviews.openEvidence',
    'rpc.v2.generation.gateway.bundles.release',
  ],
  'gateway-streams': [
    '$O.EVIDENCE.C.object.0',
    '$JS.STREAMS.API.DIRECT.GET.OBJ_EVIDENCE',
    '$JS.STREAMS.API.STREAM.MSG.GET.OBJ_EVIDENCE',
  ],
  intake: ['rpc.v2.generation.intake.bundles.retain', 'rpc.v2.notifier.intake.deliveries.holding'],
  'intake-streams': [
    'jobs.validation.requested',
    'jobs.certificate.issue',
    'jobs.webhook.deliver',
    'jobs.mail.send',
    'dlq.jobs.validation.requested',
    '$JS.STREAMS.API.CONSUMER.MSG.NEXT.JOBS_VALIDATION.intake',
    '$JS.ACK.EVENTS.intake-certificates.1.2.3.4.5',
    '$O.EVIDENCE.C.object.0',
    '$JS.STREAMS.API.STREAM.PURGE.OBJ_EVIDENCE',
    '$JS.STREAMS.API.STREAM.MSG.DELETE.OBJ_EVIDENCE',
  ],
  generation: ['rpc.v2.intake.generation.issuance.order'],
  'generation-streams': [
    'events.certificate.issued',
    '$JS.STREAMS.API.CONSUMER.MSG.NEXT.JOBS_CERTIFICATE.generation',
  ],
  terms: [],
  notifier: [
    'rpc.v2.intake.notifier.events.get',
    'rpc.v2.intake.notifier.messages.get',
    'rpc.v2.generation.notifier.bundles.release',
    'rpc.v2.generation.notifier.bundles.purge',
  ],
  'notifier-streams': [
    '$JS.STREAMS.API.CONSUMER.MSG.NEXT.JOBS_WEBHOOK.notifier',
    '$JS.ACK.JOBS_MAIL.notifier.1.2.3.4.5',
  ],
  'intake-provision': [
    '$JS.STREAMS.API.STREAM.CREATE.EVENTS',
    '$JS.STREAMS.API.STREAM.UPDATE.EVENTS',
    '$JS.STREAMS.API.CONSUMER.CREATE.EVENTS.intake-certificates.events.certificate.x',
  ],
};

const refused: typeof allowed = {
  gateway: [
    'rpc.v2.intake.gateway.issuance.order',
    'rpc.v2.intake.gateway.events.get',
    'rpc.v2.intake.gateway.messages.get',
    'rpc.v2.generation.gateway.bundles.purge',
    'rpc.v2.notifier.gateway.deliveries.retain',
    'jobs.certificate.issue',
    'events.certificate.issued',
    'live.events.certificate.issued',
    '$O.EVIDENCE.C.object.0',
    '$JS.API.STREAM.DELETE.OBJ_EVIDENCE',
    '$JS.API.ACCOUNT.PURGE.STREAMS',
    '_INBOX_intake.x',
  ],
  'gateway-streams': [
    'rpc.v2.intake.gateway.requests.register',
    'jobs.certificate.issue',
    'events.certificate.issued',
    'live.events.certificate.issued',
    '$O.EVIDENCE.C.chunk',
    '$O.EVIDENCE.M.entry',
    '$JS.STREAMS.API.STREAM.PURGE.OBJ_EVIDENCE',
    '$JS.STREAMS.API.STREAM.DELETE.OBJ_EVIDENCE',
    '$JS.STREAMS.API.STREAM.MSG.DELETE.OBJ_EVIDENCE',
    '$JS.API.ACCOUNT.PURGE.STREAMS',
    '_INBOX_intake-streams.x',
  ],
  intake: ['jobs.mail.send', 'ops.v2.intake.intake.requests.cancel', '$JS.API.STREAM.DELETE.EVENTS'],
  'intake-streams': [
    'events.certificate.issued',
    'dlq.jobs.webhook.deliver',
    'rpc.v2.generation.intake.bundles.retain',
    '$JS.STREAMS.API.STREAM.DELETE.EVENTS',
    '$JS.STREAMS.API.STREAM.PURGE.EVENTS',
    '$JS.API.STREAM.PURGE.OBJ_EVIDENCE',
  ],
  generation: [
    'rpc.v2.intake.generation.requests.register',
    'rpc.v2.intake.generation.reviews.openEvidence',
    'events.certificate.issued',
  ],
  'generation-streams': [
    'jobs.certificate.issue',
    'jobs.webhook.deliver',
    'dlq.events.certificate.issued',
    '$JS.STREAMS.API.CONSUMER.MSG.NEXT.JOBS_WEBHOOK.notifier',
    '$O.EVIDENCE.C.chunk',
  ],
  terms: ['rpc.v2.intake.terms.requests.register', 'events.certificate.issued', '$JS.API.STREAM.CREATE.MINE'],
  notifier: [
    'rpc.v2.intake.notifier.requests.register',
    'rpc.v2.generation.notifier.certificates.revoke',
    'rpc.v2.generation.notifier.bundles.retain',
    'rpc.v2.intake.notifier.reviews.openEvidence',
  ],
  'notifier-streams': [
    'jobs.mail.send',
    '$JS.STREAMS.API.STREAM.MSG.GET.OBJ_EVIDENCE',
    '$JS.STREAMS.API.DIRECT.GET.OBJ_EVIDENCE',
  ],
  'intake-provision': [
    '$JS.STREAMS.API.STREAM.UPDATE.JOBS_CERTIFICATE',
    '$JS.STREAMS.API.STREAM.DELETE.EVENTS',
    '$JS.STREAMS.API.STREAM.PURGE.EVENTS',
    '$JS.STREAMS.API.STREAM.MSG.GET.OBJ_EVIDENCE',
    '$JS.STREAMS.API.CONSUMER.CREATE.OBJ_EVIDENCE.mine.x',
    '$JS.API.STREAM.CREATE.EVENTS',
    'jobs.certificate.issue',
  ],
  'notifier-provision': [
    '$JS.STREAMS.API.STREAM.CREATE.EVENTS',
    '$JS.STREAMS.API.CONSUMER.MSG.NEXT.JOBS_WEBHOOK.notifier',
  ],
};

const each = (table: typeof allowed) =>
  connected.flatMap((user) => (table[user] ?? []).map((subject) => ({ user, subject })));

describe('the bus', () => {
  test.each(each(allowed))('lets $user publish to $subject', async ({ user, subject }) => {
    expect(await mayPublish(user, subject)).toBe(true);
  });

  test.each(each(refused))('does not let $user publish to $subject', async ({ user, subject }) => {
    expect(await mayPublish(user, subject)).toBe(false);
  });

  test.each(connected)('lets %s call under its own name alone', async (user) => {
    for (const subject of Object.values(allowed).flat()) {
      const [kind, , service, caller] = subject.split('.');
      if ((kind !== 'rpc' && kind !== 'ops') || caller === user) continue;
      expect(await mayPublish(user, subject), `${subject} of ${service}`).toBe(false);
    }
  });

  test.each(connected)('lets %s hear its own inbox and no other, and no work of others', async (user) => {
    expect(await maySubscribe(user, `_INBOX_${user}.>`)).toBe(true);
    for (const other of connected.filter((name) => name !== user)) {
      expect(await maySubscribe(user, `_INBOX_${other}.>`), `inbox of ${other}`).toBe(false);
      expect(await maySubscribe(user, `rpc.v2.${other}.>`), `calls to ${other}`).toBe(false);
    }
    for (const subject of [
      '>',
      '_INBOX.>',
      'jobs.>',
      'events.>',
      'live.>',
      '$O.EVIDENCE.>',
      '$JS.>',
      '$SYS.>',
    ]) {
      expect(await maySubscribe(user, subject), subject).toBe(false);
    }
  });

  test('lets the gateway hear what became of certificates, and no other event', async () => {
    expect(await maySubscribe('gateway-streams', 'live.events.certificate.>')).toBe(true);
    expect(await maySubscribe('gateway-streams', 'events.certificate.>')).toBe(false);
    for (const other of connected.filter((name) => name !== 'gateway-streams')) {
      expect(await maySubscribe(other, 'live.events.certificate.>'), other).toBe(false);
    }
  });

  test.each(databaseServices)(
    'lets %s hear calls in the queue group of its copies alone',
    async (service) => {
      for (const kind of ['rpc', 'ops']) {
        const calls = `${kind}.v2.${service}.>`;
        const one = `${kind}.v2.${service}.gateway.requests.register`;
        expect(await maySubscribe(service, calls, service)).toBe(true);
        expect(await maySubscribe(service, `${kind}.v2.${service}.*._cancel`)).toBe(true);
        expect(await maySubscribe(service, `${kind}.v2.${service}.terms.>`, service)).toBe(true);
        expect(await maySubscribe(service, `${kind}.v2.${service}.terms._cancel`)).toBe(true);
        for (const subject of [calls, one, `${kind}.v2.${service}.*.*.*`, `${kind}.v2.*.>`]) {
          expect(await maySubscribe(service, subject), subject).toBe(false);
          expect(await maySubscribe(service, subject, 'beside'), subject).toBe(false);
        }
      }
    },
  );

  test.each(databaseServices)('lets %s serve its calls and answer each once', async (service) => {
    const calls = as(service).subscribe(`rpc.v2.${service}.>`, { queue: service });
    await as(service).flush();
    const inbox = as('operator-calls').subscribe('_INBOX_operator-calls.answers');
    as('operator-calls').publish(`rpc.v2.${service}.observer.echo`, new Uint8Array(0), {
      reply: '_INBOX_operator-calls.answers',
    });
    await as('operator-calls').flush();
    const { value: call } = await calls[Symbol.asyncIterator]().next();
    call.respond(Buffer.from('once'));
    await as(service).flush();
    const { value: answer } = await inbox[Symbol.asyncIterator]().next();
    expect(answer.string()).toBe('once');
    refusals.get(service)?.clear();
    call.respond(Buffer.from('twice'));
    await as(service).flush();
    await nextTurn();
    expect(refusals.get(service)).toEqual(new Set(['_INBOX_operator-calls.answers']));
    calls.unsubscribe();
    inbox.unsubscribe();
  });

  test('has no list with the whole API of JetStream or of the server', async () => {
    const text = await readFile(join(projectRoot, 'deploy', 'nats', 'permissions.conf'), 'utf8');
    // Intake's sweep removes by sequence what no filter names: of its bucket, which it may purge anyway.
    expect(text).not.toMatch(
      /"[^"]*API\.>"|"\$SYS|"\$JS\.>"|"[^"]*STREAM\.(DELETE|MSG\.DELETE(?!\.OBJ_EVIDENCE")|\*|>)/,
    );
  });

  test('knows no user without a password, and none by another one’s', async () => {
    await expect(connect({ servers: server.url })).rejects.toThrow('Authorization');
    await expect(connect({ servers: server.url, user: 'intake', pass: 'p-terms' })).rejects.toThrow(
      'Authorization',
    );
  });
});
