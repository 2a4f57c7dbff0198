import { importedApi, toStreamsUser } from '@rubrica/contracts/messages/accounts';
import { messageSchemas } from '@rubrica/contracts/messages/messages';
import { services } from '@rubrica/contracts/shared/enumerations';
import { disposeAfterAll } from '@rubrica/testkit';
import { busRights } from '@rubrica/testkit/nats';
import type { NatsConnection } from 'nats';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attackedBus, provisionUsers, serviceUsers, targets } from './support/attacked-bus.ts';

const connections = new Map<string, NatsConnection>();
const as = (user: string) => connections.get(user) as NatsConnection;

/**
 * What an attacker can do with the credentials of one service on the bus, and any NATS client: on a real nats-server
 * with the configuration of a deployment.
 */
const bus = await disposeAfterAll(attackedBus());
const rights = await busRights();

// A connection may answer once on each reply subject that it was given: one test's answers are not for the next.
beforeEach(async () => {
  await bus.fill();
  for (const user of [...serviceUsers, ...provisionUsers]) connections.set(user, await bus.as(user));
});
afterEach(() => Promise.all([...connections.values()].map((connection) => connection.close())));

interface Attempt {
  readonly subject: string;
  readonly body?: string;
}

/** What ends, empties or changes a stream or a consumer. */
function destructive(stream: (typeof targets)[number], api: string): Attempt[] {
  const { name, subject, durables } = stream;
  const config = JSON.stringify({ name, subjects: [subject], storage: 'file', max_msgs: 1, discard: 'old' });
  return [
    { subject: `${api}.STREAM.DELETE.${name}` },
    { subject: `${api}.STREAM.PURGE.${name}` },
    { subject: `${api}.STREAM.MSG.DELETE.${name}`, body: '{"seq":1}' },
    { subject: `${api}.STREAM.UPDATE.${name}`, body: config },
    { subject: `${api}.CONSUMER.CREATE.${name}`, body: JSON.stringify({ stream_name: name, config: {} }) },
    ...durables.flatMap((durable) => [{ subject: `${api}.CONSUMER.DELETE.${name}.${durable}` }]),
  ];
}

/** Of another account altogether: CVE-2025-30215 of nats-server before 2.10.27, which is for loopback only. */
const wholeAccount = [
  '$JS.API.ACCOUNT.PURGE.STREAMS',
  `${importedApi}.ACCOUNT.PURGE.STREAMS`,
  '$JS.API.ACCOUNT.PURGE.$G',
];

const all: Attempt[] = [
  ...targets.flatMap((stream) => ['$JS.API', importedApi].flatMap((api) => destructive(stream, api))),
  ...wholeAccount.map((subject) => ({ subject })),
];

/** Answers without a body (not found, nothing there, an acknowledgement) and with one; what was asked counts little. */
const carrierBodies = ['', '{"batch":1,"no_wait":true}', '{"last_by_subj":"none"}', '{"seq":1}', '+NXT'];

/** What this user may publish to, as subjects; an acknowledgement is of a message that was not delivered. */
function carriers(user: string): string[] {
  const allowed = (rights.get(user) ?? []).filter((subject) => !subject.includes('.PURGE.'));
  return allowed.map((subject) =>
    subject.replace('*.*', 'carrier.0').replace('>', '1.99999999.99999999.1.0'),
  );
}

function isSafe(): boolean {
  return !bus.observer.info?.version.startsWith('2.9.');
}

function may(user: string, subject: string): boolean {
  const matches = (right: string) =>
    right.endsWith('>') ? subject.startsWith(right.slice(0, -1)) : right === subject;
  return rights.get(user)?.some((right) => matches(right.replace('*.*', '>'))) === true;
}

/** Resolves when nats-server and JetStream are done with all that was published before. */
async function settle(user: string): Promise<void> {
  await as(user).flush();
  const [own] = carriers(user).filter((subject) => subject.includes('.INFO.'));
  if (own !== undefined) await as(user).request(own, '');
  await bus.observer.flush();
  await bus.picture();
}

async function byReply(user: string, reply: string): Promise<void> {
  for (const carrier of carriers(user)) {
    // A right that it has is no attack by a reply.
    const bodies = carrierBodies.filter(
      (body) => !(carrier.includes('.MSG.DELETE.') && body.includes('seq')),
    );
    for (const body of bodies) as(user).publish(carrier, body, { reply });
  }
  await settle(user);
}

describe('gateway, intake, generation, notifier: delete streams', () => {
  it.each(serviceUsers)('%s does not, by the subjects of the API', async (user) => {
    const before = await bus.picture();
    for (const { subject, body } of all) if (!may(user, subject)) as(user).publish(subject, body);
    await settle(user);
    expect(await bus.picture()).toEqual(before);
  });

  it.each(serviceUsers)('%s does not, by answers of JetStream to a reply subject', async (user) => {
    const before = await bus.picture();
    for (const { subject } of all) {
      if (may(user, subject)) continue;
      await byReply(user, subject);
    }
    expect(await bus.picture()).toEqual(before);
  });

  // The other service is broken into as well: those that run answer a caller in its own inbox and nowhere else.
  it.each(services)('%s does not, by any answer of a service that it calls', async (user) => {
    const before = await bus.picture();
    const [call] = carriers(user);
    if (call === undefined) return expect(user).toBe('terms');
    const [, , answering = ''] = call.split('.');
    const served = as(answering).subscribe(`rpc.v2.${answering}.>`, {
      queue: answering,
      callback: (_, message) => void message.respond(''),
    });
    await as(answering).flush();
    const replies = isSafe() ? all : all.filter(({ subject }) => !wholeAccount.includes(subject));
    for (const { subject } of replies) as(user).publish(call, '', { reply: subject });
    await settle(user);
    await as(answering).flush();
    await bus.picture();
    served.unsubscribe();
    expect(await bus.picture()).toEqual(before);
  });

  it.each(provisionUsers)(
    '%s does not delete, purge or read, and touches no stream of others',
    async (user) => {
      const before = await bus.picture();
      for (const { subject, body } of all) if (!may(user, subject)) as(user).publish(subject, body);
      for (const { name } of targets) as(user).publish(`${importedApi}.STREAM.MSG.GET.${name}`, '{"seq":1}');
      for (const { subject } of all) if (!may(user, subject)) await byReply(user, subject);
      await settle(user);
      expect(await bus.picture()).toEqual(before);
    },
  );

  it.each(targets)(
    'the same messages are attacks: in one account with JetStream they end $name',
    async (stream) => {
      const carrier = '$JS.API.DIRECT.GET.OBJ_EVIDENCE';
      const reply = `$JS.API.STREAM.DELETE.${stream.name}`;
      bus.observer.publish(carrier, '{"last_by_subj":"none"}', { reply });
      await expect.poll(async () => Object.keys(await bus.picture())).not.toContain(stream.name);
    },
  );
});

describe('forged events and jobs', () => {
  const forged = [
    ...Object.keys(messageSchemas),
    'dlq.x',
    'live.events.certificate.issued',
    '$O.EVIDENCE.C.y.1',
  ];

  it.each(serviceUsers)('%s puts none on file, and nobody hears one', async (user) => {
    const heard: string[] = [];
    const live = as(toStreamsUser('gateway')).subscribe('live.events.certificate.>', {
      callback: (_, { subject }) => void heard.push(subject),
    });
    await as(toStreamsUser('gateway')).flush();
    // What it publishes in its own account it hears there itself.
    const tellsItself = (one: string) => user === toStreamsUser('gateway') && one.startsWith('live.');
    for (const subject of forged.filter((one) => !may(user, one) && !tellsItself(one))) {
      as(user).publish(subject, '{}');
      await byReply(user, subject);
      expect(await bus.onFile(subject), subject).toBe(0);
    }
    await as(toStreamsUser('gateway')).flush();
    live.unsubscribe();
    expect(heard.filter((subject) => forged.includes(subject))).toEqual([]);
  });

  it('are told from true ones: who may publish an event puts it on file, and the gateway hears it', async () => {
    const heard = new Promise<string>((resolve) => {
      as(toStreamsUser('gateway')).subscribe('live.events.certificate.>', {
        max: 1,
        callback: (_, { subject }) => resolve(subject),
      });
    });
    await as(toStreamsUser('gateway')).flush();
    as(toStreamsUser('generation')).publish('events.certificate.issued', '{}');
    expect(await heard).toBe('live.events.certificate.issued');
    expect(await bus.onFile('events.certificate.issued')).toBe(1);
  });
});

describe('what others are told and asked', () => {
  it.each([...serviceUsers, ...provisionUsers])(
    '%s reaches no inbox and no caller’s subject',
    async (user) => {
      const others = [...serviceUsers, ...provisionUsers].filter((one) => one !== user);
      const reached: string[] = [];
      const callback = (_: unknown, { subject }: { subject: string }) => void reached.push(subject);
      const listening = others.map((other) => as(other).subscribe(`_INBOX_${other}.>`, { callback }));
      for (const service of services.filter((one) => one !== user && one !== 'gateway')) {
        listening.push(as(service).subscribe(`rpc.v2.${service}.>`, { queue: service, callback }));
      }
      await Promise.all(others.map((other) => as(other).flush()));
      const callers = services.filter((one) => one !== user);
      const subjects = [
        ...others.map((other) => `_INBOX_${other}.x`),
        ...services.flatMap((one) => callers.map((caller) => `rpc.v2.${one}.${caller}.requests.register`)),
      ];
      for (const subject of subjects) as(user).publish(subject, 'forged');
      for (const subject of subjects) await byReply(user, subject);
      await settle(user);
      await Promise.all(others.map((other) => as(other).flush()));
      for (const subscription of listening) subscription.unsubscribe();
      expect(reached.filter((subject) => subjects.includes(subject))).toEqual([]);
    },
  );
});
