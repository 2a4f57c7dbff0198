import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { isUniqueViolation } from '../src/connection/index.ts';
import type { Publish } from '../src/relay/index.ts';
import { fixture, until } from './support/fixture.ts';
import { fieldPath, order, ordersSql, placeInGroup, placeOrder } from './support/orders.ts';
import { recorder } from './support/recorder.ts';
import { emitEach, onlyWhenWoken, type RelayCopy, relayCopy, unpublished } from './support/relays.ts';

/** No read can find such a row: it is there as if it had been published. */
const unreadable = `
create function hide() returns trigger language plpgsql as $$ begin new.published_at = now(); return new; end $$;
create trigger hide before insert on outbox for each row when (new.message_id like 'hidden%') execute function hide();`;
const shared = await disposeAfterAll(fixture({ sql: `${ordersSql}${unreadable}` }));

beforeEach(async () => {
  await shared.service.database.query('truncate intake.outbox, intake.orders');
});

/** An active relay that has read its table to the end, and looks again only when it has to. */
async function readyCopy(publish: Publish): Promise<RelayCopy> {
  const copy = relayCopy(shared, publish, { tuning: onlyWhenWoken });
  await until(() => copy.relay.isActive(), Boolean);
  await emitEach(copy.database, ['first']);
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  return copy;
}

/** What was published before a message that is emitted now. */
async function publishedSoFar(copy: RelayCopy, bus: ReturnType<typeof recorder>): Promise<string[]> {
  await emitEach(copy.database, ['last']);
  await until(
    () => bus.ids(),
    (ids) => ids.includes('last'),
  );
  return bus.ids().slice(1, -1);
}

test('messages of a statement go out without being read back from the table', async () => {
  const bus = recorder();
  await using copy = await readyCopy(bus.publish);
  const messageIds = ['hidden-1', 'hidden-2'];
  expect(await fieldPath(copy.database, order('o1', { messageIds }))).toEqual([{ id: 'o1' }]);
  expect(await placeInGroup(copy.database, order('o2', { messageIds: ['hidden-3'] }))).toEqual([
    { id: 'o2' },
  ]);
  expect(await publishedSoFar(copy, bus)).toEqual(['hidden-1', 'hidden-2', 'hidden-3']);
  expect(bus.messages[1]).toEqual({
    subject: 'jobs.order.pack',
    id: 'hidden-1',
    data: { id: 'o1' },
    headers: {},
  });
});

test('a statement that changed nothing sends nothing', async () => {
  const bus = recorder();
  await using copy = await readyCopy(bus.publish);
  await fieldPath(copy.database, order('o1'));
  expect(await fieldPath(copy.database, order('o1', { messageIds: ['never'] }))).toEqual([]);
  expect(await publishedSoFar(copy, bus)).toEqual(['pack-o1']);
});

test('a statement whose commit fails after its rows were given sends nothing, alone and in a group', async () => {
  const bus = recorder();
  await using copy = await readyCopy(bus.publish);
  await fieldPath(copy.database, order('o1', { number: 7 }));
  const refused = await fieldPath(copy.database, order('o2', { number: 7 })).catch((fault) => fault);
  expect(isUniqueViolation(refused, 'orders_number_key')).toBe(true);
  const group = await Promise.allSettled([
    placeInGroup(copy.database, order('o3', { number: 8 })),
    placeInGroup(copy.database, order('o4', { number: 7 })),
  ]);
  expect(group.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await publishedSoFar(copy, bus)).toEqual(['pack-o1', 'pack-o3']);
});

test('a statement within a transaction sends nothing before its commit, and nothing when it is rolled back', async () => {
  const bus = recorder();
  await using copy = await readyCopy(bus.publish);
  const undone = copy.database.transaction(async (em) => {
    expect(await placeOrder.run(em, order('o1', { messageIds: ['hidden-1'] }))).toEqual([{ id: 'o1' }]);
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  await copy.database.transaction(async (em) => {
    await placeOrder.run(em, order('o2'));
    await fieldPath(copy.database, order('o3'));
    await until(
      () => bus.ids(),
      (ids) => ids.length > 1,
    );
    expect(bus.ids()).toEqual(['first', 'pack-o3']);
  });
  await until(
    () => bus.ids(),
    (ids) => ids.includes('pack-o2'),
  );
});

test('a message that is under way is not sent again by the next read, and is marked when it is acknowledged', async () => {
  const bus = recorder();
  const acknowledge = Promise.withResolvers<void>();
  await using copy = await readyCopy(async (message) => {
    const answer = await bus.publish(message);
    if (message.id === 'pack-o1') await acknowledge.promise;
    return answer;
  });
  await fieldPath(copy.database, order('o1'));
  expect(await publishedSoFar(copy, bus)).toEqual(['pack-o1']);
  expect(await unpublished(copy.database)).toBeGreaterThanOrEqual(1);
  acknowledge.resolve();
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  copy.relay.nudge();
  expect(bus.ids()).toEqual(['first', 'pack-o1', 'last']);
});

test('what a process had committed and not yet sent when it was killed is sent by the next relay', async () => {
  const { appUrl, schema } = shared.service;
  const path = join(import.meta.dirname, 'support', 'killed-at-publish.ts');
  const child: ChildProcess = fork(path, [appUrl, schema], { execArgv: [] });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  const database = shared.open();
  expect(await unpublished(database)).toBe(1);
  const bus = recorder();
  await using _copy = relayCopy(shared, bus.publish);
  await until(
    () => unpublished(database),
    (count) => count === 0,
  );
  expect(bus.ids()).toEqual(['pack-o1']);
});
