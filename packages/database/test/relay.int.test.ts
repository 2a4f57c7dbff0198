import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { lockName } from '../src/lock/index.ts';
import { emit, emitting, type OutboxParams, outboxParams } from '../src/outbox/index.ts';
import { statement } from '../src/statement/index.ts';
import { fixture, until } from './support/fixture.ts';
import { recorder } from './support/recorder.ts';
import { emitEach, numbered, onlyWhenWoken, relayCopy, testEvent, unpublished } from './support/relays.ts';

const shared = await disposeAfterAll(fixture({ sql: 'create table orders (id text primary key);' }));

beforeEach(async () => {
  await shared.service.database.query('truncate intake.outbox, intake.orders');
});

const lockedBy = `select a.pid from intake.named_lock l join pg_stat_activity a
  on a.pid = l.session_pid and a.backend_start = l.session_started_at where l.name = 'relay'`;

test('only one of two relays publishes, and each message once', async () => {
  const [first, second] = [recorder(), recorder()];
  await using one = relayCopy(shared, first.publish);
  await until(() => one.relay.isActive(), Boolean);
  await using two = relayCopy(shared, second.publish);
  await emitEach(two.database, numbered('m', 30));
  await until(
    () => unpublished(one.database),
    (count) => count === 0,
  );
  expect(first.ids()).toEqual(numbered('m', 30));
  expect(second.ids()).toEqual([]);
  expect(two.relay.isActive()).toBe(false);
});

test('when the lock connection is cut the other copy takes over and nothing is lost', async () => {
  const bus = recorder();
  await using one = relayCopy(shared, bus.publish);
  await until(() => one.relay.isActive(), Boolean);
  await using two = relayCopy(shared, bus.publish);
  const ids = numbered('m', 200);
  const emitting = emitEach(one.database, ids);
  await until(
    () => bus.messages.length,
    (count) => count > 20,
  );
  const [before] = await shared.service.database.query<{ pid: number }>(lockedBy);
  await shared.service.database.query('select pg_terminate_backend($1)', [before?.pid]);
  await emitting;
  await until(
    () => unpublished(one.database),
    (count) => count === 0,
  );
  const [after] = await shared.service.database.query<{ pid: number }>(lockedBy);
  expect(after?.pid).not.toBe(before?.pid);
  expect([...new Set(bus.ids())].sort()).toEqual(ids.toSorted());
  expect([one, two].filter(({ relay }) => relay.isActive())).toHaveLength(1);
});

test('a relay that lost its connection publishes no more of what it had read', async () => {
  const bus = recorder();
  const acknowledge = Promise.withResolvers<void>();
  const published: string[] = [];
  await using copy = relayCopy(
    shared,
    async (message) => {
      published.push(message.id);
      await acknowledge.promise;
      return bus.publish(message);
    },
    { tuning: { ...onlyWhenWoken, maxInFlight: 2 } },
  );
  await until(() => copy.relay.isActive(), Boolean);
  await emitEach(copy.database, numbered('m', 6));
  await until(
    () => published.length,
    (count) => count === 2,
  );
  // Another session takes the lock in the moment the relay's connection ends, so it cannot come back.
  const rival = shared.open();
  await rival.transaction(async (em) => {
    await shared.service.database.query(`select pg_terminate_backend(pid) from (${lockedBy}) as held`);
    await lockName(em, 'relay');
    await until(
      () => copy.relay.isActive(),
      (active) => !active,
    );
    acknowledge.resolve();
    await until(
      () => bus.messages.length,
      (count) => count === 2,
    );
    expect(published).toEqual(['m0', 'm1']);
    expect(await unpublished(copy.database)).toBe(6);
  });
  copy.relay.nudge();
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  expect(published).toEqual(['m0', 'm1', ...numbered('m', 6)]);
});

test('a copy says that no relay is active once it could not ask for a while, and no more when there is one', async () => {
  const bus = recorder();
  const { schema, appRole } = shared.service;
  const admit = (may: boolean) =>
    shared.service.database.query(
      may
        ? `grant select, insert, update, delete on ${schema}.named_lock to ${appRole}`
        : `revoke all on ${schema}.named_lock from ${appRole}`,
    );
  await admit(false);
  await using idle = relayCopy(shared, bus.publish, { tuning: { ownerMissingAfterMs: 200, pollMs: 20 } });
  expect(idle.relay.hasOwner()).toBe(true);
  await until(
    () => idle.relay.hasOwner(),
    (known) => !known,
  );
  await admit(true);
  await until(() => idle.relay.isActive(), Boolean);
  expect(idle.relay.hasOwner()).toBe(true);
  await using second = relayCopy(shared, bus.publish, { tuning: { ownerMissingAfterMs: 200, pollMs: 20 } });
  await emitEach(second.database, numbered('m', 50));
  await until(
    () => unpublished(second.database),
    (count) => count === 0,
  );
  expect([second.relay.isActive(), second.relay.hasOwner()]).toEqual([false, true]);
});

test('a stopped relay frees the lock at once, having marked what was acknowledged', async () => {
  const bus = recorder();
  const one = relayCopy(shared, bus.publish, { tuning: { markDelayMs: 3_600_000, ...onlyWhenWoken } });
  await until(() => one.relay.isActive(), Boolean);
  await one.database.transaction((em) => emit(em, numbered('m', 5).map(testEvent)));
  await until(
    () => bus.messages.length,
    (count) => count === 5,
  );
  expect(await unpublished(one.database)).toBe(5);
  await one.relay.stop();
  expect(await unpublished(one.database)).toBe(0);
  await using two = relayCopy(shared, bus.publish);
  await until(() => two.relay.isActive(), Boolean);
  expect(bus.ids()).toEqual(numbered('m', 5));
});

test('a commit wakes the relay without polling, whichever copy it happened in', async () => {
  const bus = recorder();
  await using active = relayCopy(shared, bus.publish, { tuning: onlyWhenWoken });
  await until(() => active.relay.isActive(), Boolean);
  await using idle = relayCopy(shared, bus.publish, { tuning: onlyWhenWoken });
  await emitEach(active.database, ['here']);
  await until(
    () => bus.ids(),
    (ids) => ids.includes('here'),
  );
  await emitEach(idle.database, ['there']);
  await until(
    () => bus.ids(),
    (ids) => ids.includes('there'),
  );
  expect(idle.relay.isActive()).toBe(false);
});

test('a row that commits after rows with higher ids is published', async () => {
  const bus = recorder();
  await using copy = relayCopy(shared, bus.publish);
  const slow = shared.open();
  await slow.transaction(async (em) => {
    await emit(em, testEvent('early-id-late-commit'));
    await emitEach(copy.database, ['late-id-early-commit']);
    await until(
      () => unpublished(copy.database),
      (count) => count === 0,
    );
  });
  await until(
    () => bus.messages.length,
    (count) => count === 2,
  );
  expect(bus.ids()).toEqual(['late-id-early-commit', 'early-id-late-commit']);
});

test('a business row and its message are one prepared statement, with no message when there is no row', async () => {
  const bus = recorder();
  await using copy = relayCopy(shared, bus.publish, { tuning: onlyWhenWoken });
  await until(() => copy.relay.isActive(), Boolean);
  const register = statement<{ id: string } & OutboxParams>({
    name: 'register-order',
    emits: true,
    sql: `with placed as (insert into orders (id) values (:id) on conflict do nothing returning id)
      ${emitting({ from: 'placed', gives: 'id' })}`,
  });
  const packing = { subject: 'jobs.order.pack', id: 'pack-o1', payload: { id: 'o1' } };
  const insert = () => register.run(copy.database, { id: 'o1', ...outboxParams(packing) });
  expect(await insert()).toEqual([{ id: 'o1' }]);
  expect(await insert()).toEqual([]);
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  expect(bus.messages).toEqual([
    { subject: 'jobs.order.pack', id: 'pack-o1', data: { id: 'o1' }, headers: {} },
  ]);
});

test('a burst beyond the number in flight is published completely and in order', async () => {
  const bus = recorder();
  await using copy = relayCopy(shared, bus.publish, { tuning: { maxInFlight: 8 } });
  await copy.database.transaction((em) => emit(em, numbered('m', 500).map(testEvent)));
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  expect(bus.ids()).toEqual(numbered('m', 500));
});
