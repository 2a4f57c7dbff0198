import { randomBytes } from 'node:crypto';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { disposeAfterAll } from '@rubrica/testkit';
import { busRights } from '@rubrica/testkit/nats';
import { headers, type NatsConnection } from 'nats';
import { beforeEach, describe, expect, it } from 'vitest';
import { attackedBus } from './support/attacked-bus.ts';

/** What an attacker can do to evidence with the credentials of the gateway's user on the bus, and any NATS client. */
const stream = `OBJ_${evidenceBucket}`;
const chunks = Array.from({ length: 51 }, (_, n) => ({
  subject: `$O.${evidenceBucket}.C.${(n % 3).toString(16).repeat(32)}.${Math.floor(n / 3)}`,
  data: randomBytes(1_000),
}));
const [first] = chunks;
const timeout = 5_000;

const bus = await disposeAfterAll(attackedBus());
const gateway = await bus.as('gateway-streams');
const observer = bus.observer;

beforeEach(async () => {
  await bus.provision();
  for (const { subject, data } of chunks) {
    const ack = await gateway.request(subject, data, { timeout });
    expect(ack.json()).toMatchObject({ stream });
  }
});

/** Every chunk, read without the gateway's rights. */
async function expectNothingLost() {
  const manager = await observer.jetstreamManager();
  for (const { subject, data } of chunks) {
    const found = await manager.streams.getMessage(stream, { last_by_subj: subject });
    expect(Buffer.from(found.data).equals(data), subject).toBe(true);
  }
}

interface Attack {
  readonly subject: string;
  /** Of chunks on file. */
  readonly data?: (sequence: number) => string;
  readonly rollup?: 'sub' | 'all';
}

/** As any client can: no answer is waited for. */
async function attempt(by: NatsConnection, { subject, data = () => '', rollup }: Attack): Promise<void> {
  const h = headers();
  if (rollup !== undefined) h.set('Nats-Rollup', rollup);
  by.publish(subject, data(await firstSequence()), rollup === undefined ? {} : { headers: h });
  await by.flush();
  // Asked behind it, the API answers once it is done with what came before.
  await firstSequence();
}

async function firstSequence(): Promise<number> {
  const { streams } = await observer.jetstreamManager();
  return streams.info(stream).then(
    ({ state }) => state.first_seq,
    () => 0,
  );
}

const chunk = first?.subject ?? '';
const bucket = `$O.${evidenceBucket}`;
const text = () => 'x';
const attacks: (Attack & { readonly what: string })[] = [
  ...(['sub', 'all'] as const).flatMap((rollup) =>
    [chunk, `${bucket}.C.x`, `${bucket}.C.x.0`, `${bucket}.M.x`].map((subject) => {
      return { what: `a roll-up (${rollup}) on ${subject}`, subject, data: text, rollup };
    }),
  ),
  { what: 'a second write on the subject of a chunk', subject: chunk, data: text },
  { what: 'an empty write on the subject of a chunk', subject: chunk },
  ...['*.0', '*.*', '>.0', '*.>', '>'].map((end) => {
    return { what: `a write on the wildcard ${end}`, subject: `${bucket}.C.${end}`, data: text };
  }),
  { what: 'a purge', subject: `$JS.API.STREAM.PURGE.${stream}` },
  {
    what: 'a purge of one chunk',
    subject: `$JS.API.STREAM.PURGE.${stream}`,
    data: () => JSON.stringify({ filter: chunk }),
  },
  {
    what: 'a delete of a message',
    subject: `$JS.API.STREAM.MSG.DELETE.${stream}`,
    data: (seq) => JSON.stringify({ seq }),
  },
  { what: 'a delete of the stream', subject: `$JS.API.STREAM.DELETE.${stream}` },
  {
    what: 'a limit of one message',
    subject: `$JS.API.STREAM.UPDATE.${stream}`,
    data: () =>
      JSON.stringify({
        name: stream,
        subjects: [`${bucket}.C.*.*`],
        retention: 'limits',
        discard: 'old',
        storage: 'file',
        max_msgs: 1,
        num_replicas: 1,
      }),
  },
];

describe('gateway’s bus user: destroy all evidence with one message, which it does not by', () => {
  it.each(attacks)('$what', async (attack) => {
    await attempt(gateway, attack);
    await expectNothingLost();
  });
});

describe('the same messages are attacks: evidence is lost with the rights to everything, by', () => {
  it.each(attacks.filter(({ subject }) => subject.startsWith('$JS.')))('$what', async (attack) => {
    await attempt(observer, attack);
    await expect(expectNothingLost()).rejects.toThrow();
  });
});

/** NATS gives this right by stream and not by object: SECURITY.md says what it is worth. */
describe('the right to remove what is stored', () => {
  const removing = /\.(PURGE|DELETE|UPDATE|RESTORE)\b/;
  const isProvision = (user: string) => user.endsWith('-provision');
  const removals = async (wanted: (user: string) => boolean) =>
    [...(await busRights())].flatMap(([user, subjects]) =>
      wanted(user) ? subjects.filter((subject) => removing.test(subject)).map((one) => `${user} ${one}`) : [],
    );

  it('is intake’s alone among running services, and of the bucket alone', async () => {
    const found = await removals((user) => !isProvision(user));
    expect(found.toSorted()).toEqual([
      `intake-streams $JS.STREAMS.API.STREAM.MSG.DELETE.${stream}`,
      `intake-streams $JS.STREAMS.API.STREAM.PURGE.${stream}`,
    ]);
  });

  it('is of provisioning by a change of its own streams alone', async () => {
    const found = await removals(isProvision);
    expect(found.filter((right) => !right.includes('.STREAM.UPDATE.'))).toEqual([]);
    expect(found).toContain(`intake-provision $JS.STREAMS.API.STREAM.UPDATE.${stream}`);
  });
});
