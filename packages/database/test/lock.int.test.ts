import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { allowAdvisoryLocks, disposeAfterAll, holdAdvisoryLocks } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { type OwnSession, openOwnSession } from '../src/connection/own-session.ts';
import { lockName } from '../src/lock/index.ts';
import { tryLockName } from '../src/lock/row-lock.ts';
import { assertLockHeld, createSessionLock, trySessionLock } from '../src/lock/session-lock.ts';
import { fixture, until } from './support/fixture.ts';

const shared = await disposeAfterAll(fixture());
await allowAdvisoryLocks(shared.service.database);

const query = <Row>(sql: string, params: unknown[] = []) => shared.service.database.query<Row>(sql, params);

interface SessionOwner extends AsyncDisposable {
  readonly session: OwnSession;
  readonly pid: number;
}

async function openSession(): Promise<SessionOwner> {
  const nothing = () => undefined;
  const { appUrl: url, schema } = shared.service;
  const parts = { applicationName: 'lock-test', onLost: nothing, onNotification: nothing };
  const session = await openOwnSession({ url, schema, ...parts });
  const [row] = await session.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
  return { session, pid: row?.pid ?? 0, [Symbol.asyncDispose]: session.end };
}

const locked = (name: string) => ({ name, previous: `previous ${name}` });
const isFree = async (session: OwnSession, name: string) =>
  (await trySessionLock(session, locked(name))) !== undefined;

/** Leaves the session with the row alone. */
const endPreviousLock = (session: OwnSession) => session.query({ text: 'select pg_advisory_unlock_all()' });

/** Sessions that wait for a lock of a row or of the transaction that has inserted it. */
const waiting = () => query("select 1 from pg_stat_activity where wait_event_type = 'Lock'");

test.each([
  ['that is new', 'new'],
  ['that was there', 'new'],
])('a lock %s is held until the transaction ends, and others wait for it', async (_, name) => {
  const [one, two] = [shared.open(), shared.open()];
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const first = one.transaction(async (em) => {
    await lockName(em, name);
    held.resolve();
    await ending.promise;
    order.push('first');
  });
  await held.promise;
  const second = two.transaction(async (em) => {
    await lockName(em, name);
    order.push('second');
  });
  await until(waiting, (rows) => rows.length > 0);
  ending.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

test('twenty transactions that wait for one lock are alone in it, one after the other', async () => {
  const database = shared.open({ poolSize: 20 });
  let inside = 0;
  const most: number[] = [];
  const turn = () =>
    database.transaction(async (em) => {
      await lockName(em, 'alone');
      inside += 1;
      most.push(inside);
      await em.execute('select pg_sleep(0)');
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 20 }, turn));
  expect(most).toEqual(Array(20).fill(1));
});

test('trying gives up at once where another transaction has the lock, and others are not concerned', async () => {
  const [one, two] = [shared.open(), shared.open()];
  await one.transaction((em) => tryLockName(em, 'sweep'));
  await one.transaction(async (em) => {
    expect(await tryLockName(em, 'sweep')).toBe(true);
    expect(await two.transaction((other) => tryLockName(other, 'sweep'))).toBe(false);
    expect(await two.transaction((other) => tryLockName(other, 'another'))).toBe(true);
  });
  expect(await two.transaction((em) => tryLockName(em, 'sweep'))).toBe(true);
});

test('a lock goes with the transaction that dies', async () => {
  const [one, two] = [shared.open(), shared.open()];
  const dying = one.transaction(async (em) => {
    await lockName(em, 'dying');
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query like '%named_lock%' and state = 'idle in transaction' and datname = current_database()`,
    );
    await em.execute('select 1');
  });
  await expect(dying).rejects.toThrow();
  expect(await two.transaction((em) => tryLockName(em, 'dying'))).toBe(true);
});

test('of twenty sessions that try at once one has the lock, time after time', async () => {
  await using owned = new AsyncDisposableStack();
  const all = await Promise.all(Array.from({ length: 20 }, openSession));
  for (const owner of all) owned.use(owner);
  await createSessionLock((all[0] as SessionOwner).session, 'raced');
  for (let round = 0; round < 10; round += 1) {
    const alive = all.filter(({ session }) => !session.isLost());
    const taken = await Promise.all(alive.map(({ session }) => trySessionLock(session, locked('raced'))));
    expect(taken.filter((lock) => lock !== undefined)).toHaveLength(1);
    const winner = alive[taken.findIndex((lock) => lock !== undefined)];
    await winner?.session.end();
    await until(
      () => query('select 1 from pg_stat_activity where pid = $1', [winner?.pid]),
      (rows) => rows.length === 0,
    );
  }
});

test('a session’s lock is another’s once PostgreSQL has ended the session, under a higher fence', async () => {
  await using one = await openSession();
  await using two = await openSession();
  await createSessionLock(one.session, 'cut');
  const first = await trySessionLock(one.session, locked('cut'));
  expect(await isFree(two.session, 'cut')).toBe(false);
  await query('select pg_terminate_backend($1)', [one.pid]);
  const second = await until(
    () => trySessionLock(two.session, locked('cut')),
    (lock) => lock !== undefined,
  );
  expect(second?.fence).toBeGreaterThan(first?.fence ?? Number.NaN);
});

test('a owner is known by the start of its session too: a process id that comes again is no owner', async () => {
  await using one = await openSession();
  await using two = await openSession();
  await createSessionLock(one.session, 'again');
  await trySessionLock(one.session, locked('again'));
  await endPreviousLock(one.session);
  await query(
    `update intake.named_lock set session_started_at = session_started_at - interval '1 day' where name = 'again'`,
  );
  expect(await isFree(two.session, 'again')).toBe(true);
});

test('a session that says nothing for half a minute is ended: a frozen process does not keep a lock', async () => {
  await using one = await openSession();
  const [row] = await one.session.query<{ limit: string }>({
    text: `select current_setting('idle_session_timeout') as limit`,
  });
  expect(row?.limit).toBe('30s');
});

test('a lock that was taken away by hand counts no more', async () => {
  await using one = await openSession();
  await using two = await openSession();
  await createSessionLock(one.session, 'moved');
  const lock = await trySessionLock(one.session, locked('moved'));
  if (lock === undefined) throw new Error('a new lock is free');
  await assertLockHeld(one.session, lock);
  await endPreviousLock(one.session);
  await query(`update intake.named_lock set session_pid = null where name = 'moved'`);
  await assertLockHeld(one.session, lock);
  expect(await isFree(two.session, 'moved')).toBe(true);
  await expect(assertLockHeld(one.session, lock)).rejects.toThrow(/no longer leased/);
});

test('it is free after a crash of the process that held it, at the next look', async () => {
  await using two = await openSession();
  const script = join(import.meta.dirname, 'support', 'locking-process.ts');
  const child = fork(script, [shared.service.appUrl, 'crashed'], { execArgv: [] });
  await once(child, 'message');
  expect(await isFree(two.session, 'crashed')).toBe(false);
  child.kill('SIGKILL');
  await until(() => isFree(two.session, 'crashed'), Boolean);
});

test('while the release before holds its lock this one stands by, and the other way round', async () => {
  await using one = await openSession();
  await using old = await openSession();
  await createSessionLock(one.session, 'mixed');
  const take = {
    text: `select pg_try_advisory_lock(hashtextextended('previous mixed', 0)) as held`,
  };
  const takeOld = async () => (await old.session.query<{ held: boolean }>(take))[0]?.held;
  expect(await takeOld()).toBe(true);
  expect(await isFree(one.session, 'mixed')).toBe(false);
  await old.session.query({ text: 'select pg_advisory_unlock_all()' });
  expect(await isFree(one.session, 'mixed')).toBe(true);
  expect(await takeOld()).toBe(false);
});

test('a transaction waits for one of the release before, and the other way round', async () => {
  const [one, old] = [shared.open(), shared.open()];
  const order: string[] = [];
  const lockOld = `select pg_advisory_xact_lock(hashtextextended('previous turn', 0))`;
  const turn = (name: string) =>
    one.transaction(async (em) => {
      await lockName(em, 'turn', { previous: 'previous turn' });
      order.push(name);
    });
  let waits: Promise<void> | undefined;
  await old.transaction(async (em) => {
    await em.execute(lockOld);
    waits = turn('new after old');
    const asking = () => query("select 1 from pg_stat_activity where query like '%pg_try_advisory_xact%'");
    await until(asking, (rows) => rows.length > 0);
    order.push('old');
  });
  await waits;
  await one.transaction(async (em) => {
    await lockName(em, 'turn', { previous: 'previous turn' });
    waits = old.transaction(async (other) => {
      await other.execute(lockOld);
      order.push('old after new');
    });
    await until(waiting, (rows) => rows.length > 0);
    order.push('new');
  });
  await waits;
  expect(order).toEqual(['old', 'new after old', 'new', 'old after new']);
});

test('where the role may take no advisory lock, it stands by for the release before all the same', async () => {
  await using ground = await fixture();
  const { database } = ground.service;
  const locking = ground.open({ poolSize: 1 });
  await allowAdvisoryLocks(database);
  const held = await locking.execute(`select pg_advisory_lock(hashtextextended('previous turn', 0))`);
  expect(held).toHaveLength(1);
  // As roles.sql does once more.
  await database.createService('intake');
  const one = ground.open();
  // A pool ends the connection whose statement failed, so it is not that of the lock.
  await expect(one.execute('select pg_try_advisory_lock(1)')).rejects.toThrow('permission denied');
  let isFree = false;
  const taken = one.transaction(async (em) => {
    await lockName(em, 'turn', { previous: 'previous turn' });
    isFree = true;
  });
  const asking = () =>
    database.query(`select 1 from pg_stat_activity where query like '%isForeign%' and query not like '%pg_stat%like%'
      and datname = current_database()`);
  await until(asking, (rows) => rows.length > 0);
  expect(isFree).toBe(false);
  await database.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
  );
  await taken;
  expect(isFree).toBe(true);
});

test('the role of another service that holds the lock of the release before keeps nobody off', async () => {
  await using one = await openSession();
  await using _held = await holdAdvisoryLocks(shared.service.database, ['previous foreign', 'previous row']);
  await createSessionLock(one.session, 'foreign');
  expect(await isFree(one.session, 'foreign')).toBe(true);
  await shared.open().transaction((em) => lockName(em, 'row', { previous: 'previous row' }));
});

test('the role of another service has no right on the locks of this one', async () => {
  const { appUrl } = await shared.service.database.createService('terms');
  await using terms = await openSession();
  const other = await openOwnSession({
    url: appUrl,
    schema: 'intake',
    applicationName: 'other',
    onLost: () => undefined,
    onNotification: () => undefined,
  });
  await expect(isFree(other, 'foreign')).rejects.toMatchObject({ code: '42P01' });
  await other.end();
  await createSessionLock(terms.session, 'own');
});
