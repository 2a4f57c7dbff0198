import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { describe, expect, it } from 'vitest';
import { purgePayloads } from '../src/retention/purge-payloads.ts';
import { type ReportPurgedDeps, reportPurgedBundles } from '../src/retention/report-purged-bundles.ts';
import { servicesCalls } from './support/calls.ts';
import { notifierGround } from './support/ground.ts';
import type { NotifierUnderTest } from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';

const ground = notifierGround();

const { start } = ground;
const sweep = ({ database }: NotifierUnderTest) =>
  database.execute(purgePayloads.text, purgePayloads.params ?? []);
const isOver = ({ database }: NotifierUnderTest, id: string) =>
  database.execute('update delivery set purge_at = now() where id = $1', [id]);

const callAs = (notifier: NotifierUnderTest, caller: Caller = { kind: 'service', name: 'intake' }) =>
  servicesCalls(notifier, caller).deliveries;

const word = (requestId: string, rest: Partial<retentionContract.RetentionInstruction>) => ({
  requests: [{ requestId, version: 1, held: false, erase: 'NOTHING' as const, ...rest }],
});

async function deliver(notifier: NotifierUnderTest, url: string, overrides = {}) {
  const requestId = uuidv7();
  const id = await notifier.addEvent({ url, requestId, ...overrides });
  await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
  await expect.poll(async () => (await notifier.delivery(id)).state).toBe('DELIVERED');
  return { id, requestId };
}

describe('generation', () => {
  it('is told of every bundle that was purged here, again until it has confirmed, and then no more', async () => {
    await using receiver = await startReceiver();
    await using notifier = await start();
    const { database } = notifier;
    const one = await deliver(notifier, receiver.url);
    await deliver(notifier, receiver.url);
    const told: string[] = [];
    const ended: string[][] = [];
    let isAway = true;
    const intake: ReportPurgedDeps['intake'] = {
      async 'events.end'({ eventIds }) {
        ended.push([...eventIds]);
        return { grant: `to purge ${eventIds.join()}` };
      },
    };
    const generation: ReportPurgedDeps['generation'] = {
      async 'bundles.purge'({ grant }) {
        told.push(grant);
        // Generation may have done it: what counts is that its answer did not arrive here.
        if (isAway) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
        return { changed: 1 };
      },
    };
    expect(await reportPurgedBundles({ database, intake, generation })).toBe(0);
    expect(told).toEqual([]);

    await isOver(notifier, one.id);
    await sweep(notifier);
    expect((await notifier.delivery(one.id)).body).toBeNull();
    await expect(reportPurgedBundles({ database, intake, generation })).rejects.toThrow();
    isAway = false;
    expect(await reportPurgedBundles({ database, intake, generation })).toBe(1);
    expect(await reportPurgedBundles({ database, intake, generation })).toBe(0);
    expect(ended).toEqual([[one.id], [one.id]]);
    expect(told).toEqual([`to purge ${one.id}`, `to purge ${one.id}`]);
  });
});

describe('a legal hold', () => {
  it('keeps a delivery from the sweeper until it is lifted; an older word changes nothing', async () => {
    await using receiver = await startReceiver();
    await using notifier = await start();
    const { id, requestId } = await deliver(notifier, receiver.url);
    await callAs(notifier).retain(word(requestId, { version: 2, held: true }));
    await callAs(notifier).retain(word(requestId, { version: 1, erase: 'ALL' }));
    await isOver(notifier, id);
    await sweep(notifier);
    expect((await notifier.delivery(id)).body).not.toBeNull();
    expect((await callAs(notifier).holding({ requestIds: [requestId] })).items).toMatchObject([
      { kind: 'DELIVERY', detail: 'certificate.issued DELIVERED', rule: 'LEGAL_HOLD', until: null },
    ]);
    await callAs(notifier).retain(word(requestId, { version: 3 }));
    await notifier.database.execute(`update delivery set traceparent = '00-of-the-event' where id = $1`, [
      id,
    ]);
    await sweep(notifier);
    const [purged] = await notifier.database.execute('select body, traceparent from delivery where id = $1', [
      id,
    ]);
    expect(purged).toEqual({ body: null, traceparent: null });
  });
});

describe('an erasure', () => {
  it('of secrets empties bundles and recipients, of all leaves no word of the applicant', async () => {
    await using receiver = await startReceiver();
    await using notifier = await start();
    const requestId = uuidv7();
    const url = `${receiver.url}/Pazmiño-canary`;
    const bundle = await deliver(notifier, url, { requestId });
    const error = await deliver(notifier, url, { requestId, type: 'request.error', message: 'canary' });
    const messageId = uuidv7();
    await notifier.database.execute(
      `insert into message (id, request_id, channel, template, recipient_masked, state, last_error)
       values ($1, $2, 'email', 'claim', 'c***@canary.ec', 'FAILED', '550 canary@canary.ec unknown')`,
      [messageId, requestId],
    );
    const kinds = async () =>
      (await callAs(notifier).holding({ requestIds: [requestId] })).items.map(({ kind }) => kind).sort();
    expect(await kinds()).toEqual(['DELIVERY', 'DELIVERY', 'MESSAGES']);

    const secrets = word(requestId, { erase: 'SECRETS' });
    expect(await callAs(notifier).retain(secrets)).toEqual({ changed: 2 });
    expect(await callAs(notifier).retain(secrets)).toEqual({ changed: 0 });
    expect((await notifier.delivery(bundle.id)).body).toBeNull();
    expect((await notifier.delivery(error.id)).body).not.toBeNull();
    expect(await kinds()).toEqual(['DELIVERY']);

    const all = word(requestId, { version: 2, erase: 'ALL' });
    expect(await callAs(notifier).retain(all)).toEqual({ changed: 2 });
    expect(await callAs(notifier).retain(all)).toEqual({ changed: 0 });
    expect(await kinds()).toEqual([]);
    const rows = await notifier.database.execute(
      'select d::text as row from delivery d union all select m::text from message m',
    );
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain('canary');
  });
});

describe('the procedures of retention', () => {
  it('answer intake alone', async () => {
    await using notifier = await start();
    for (const caller of [
      { kind: 'service', name: 'gateway' },
      { kind: 'service', name: 'generation' },
      { kind: 'public' },
    ] as const) {
      await expect(callAs(notifier, caller).holding({ requestIds: [uuidv7()] })).rejects.toThrow();
      await expect(callAs(notifier, caller).retain(word(uuidv7(), { erase: 'ALL' }))).rejects.toThrow();
    }
  });
});
