import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { createLeases, dueRowLease, lease, leaseEnd, leaseWithAlias } from '../src/lease/index.ts';
import { statement } from '../src/statement/index.ts';
import { fixture, until } from './support/fixture.ts';

const shared = await disposeAfterAll(
  fixture({
    sql: `create table jobs (id text primary key, state text not null default 'PENDING',
    due_at timestamptz not null default now(), lease_until timestamptz,
    fence integer not null default 0, attempts integer not null default 0);
    create table steps (job_id text primary key, lease_until timestamptz, fence integer)`,
  }),
);
const database = shared.open();

beforeEach(() => shared.service.database.query('truncate intake.jobs'));

const jobs = createLeases({ table: 'jobs', key: ['id'] });
const take = statement<{ id: string; leaseSeconds: number }, { id: string; fence: number; attempts: number }>(
  {
    name: 'lease-job',
    sql: `update jobs set ${lease.take}, attempts = attempts + 1
    where id = :id and state = 'PENDING' and ${lease.isFree} returning id, fence, attempts`,
  },
);
const finish = statement<{ id: string; fence: number }>({
  name: 'finish-job',
  sql: `update jobs set state = 'DONE', ${lease.end} where id = :id and fence = :fence returning 1 as done`,
});
const insert = (...ids: string[]) =>
  database.execute('insert into jobs (id) select unnest($1::text[])', [ids]);
const expireLeases = () => database.execute("update jobs set lease_until = now() - interval '1 second'");

async function leased(id: string) {
  const [row] = await take.run(database, { id, leaseSeconds: 30 });
  if (row === undefined) throw new Error(`${id} could not be leased`);
  return row;
}

test('a row is leased to one worker until the lease ends; each lease raises the fence', async () => {
  await insert('a');
  expect(await leased('a')).toEqual({ id: 'a', fence: 1, attempts: 1 });
  expect(await take.run(database, { id: 'a', leaseSeconds: 30 })).toEqual([]);
  await expireLeases();
  expect(await leased('a')).toEqual({ id: 'a', fence: 2, attempts: 2 });
});

test('of many workers that ask at the same time one gets the lease', async () => {
  await insert('a');
  const asked = await Promise.all(
    Array.from({ length: 8 }, () => take.run(database, { id: 'a', leaseSeconds: 30 })),
  );
  expect(asked.flat()).toHaveLength(1);
});

test('a worker that lost its lease to another can neither write nor renew nor give back', async () => {
  await insert('a');
  const slow = await leased('a');
  await expireLeases();
  const fast = await leased('a');
  expect(await finish.run(database, slow)).toEqual([]);
  expect(await jobs.renew(database, slow, 30)).toBe(false);
  expect(await jobs.release(database, slow)).toBe(false);
  expect(await jobs.giveBack(database, slow)).toBe(false);
  expect(await jobs.renew(database, fast, 30)).toBe(true);
  expect(await finish.run(database, fast)).toHaveLength(1);
});

test('a row that was released can be leased at once; one given back counts no attempt and has a new fence', async () => {
  await insert('a');
  expect(await jobs.release(database, await leased('a'))).toBe(true);
  const second = await leased('a');
  expect(second).toMatchObject({ fence: 2, attempts: 2 });
  await jobs.giveBack(database, second);
  expect(await finish.run(database, second)).toEqual([]);
  expect(await leased('a')).toEqual({ id: 'a', fence: 4, attempts: 2 });
});

test('a lease that was released is not renewed', async () => {
  await insert('a');
  const job = await leased('a');
  await jobs.release(database, job);
  expect(await jobs.renew(database, job, 30)).toBe(false);
});

test('work that outlasts its lease keeps it while it runs', async () => {
  await insert('a');
  const job = await leased('a');
  const left = async () => {
    const text = 'select extract(epoch from lease_until - now())::int as left from jobs';
    return (await database.execute<{ left: number }>(text))[0]?.left;
  };
  await database.execute("update jobs set lease_until = now() + interval '1 second'");
  const renewed = await jobs.whileRenewing(database, { ...job, leaseSeconds: 30, everyMs: 20 }, () =>
    until(left, (seconds) => seconds !== undefined && seconds > 20),
  );
  expect(renewed).toBeGreaterThan(20);
});

test('in a transaction a lease is taken with everything else or not at all', async () => {
  await insert('a');
  const failing = database.transaction(async (em) => {
    expect(await take.run(em, { id: 'a', leaseSeconds: 30 })).toHaveLength(1);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await leased('a')).toMatchObject({ fence: 1 });
});

test('a row that waits for a time is leased by moving that time', async () => {
  await insert('a');
  const takeDue = statement<{ leaseSeconds: number }, { fence: number }>({
    name: 'lease-due-job',
    sql: `update jobs set ${dueRowLease.take} where ${dueRowLease.isFree} returning fence`,
  });
  expect(await takeDue.run(database, { leaseSeconds: 30 })).toEqual([{ fence: 1 }]);
  expect(await takeDue.run(database, { leaseSeconds: 30 })).toEqual([]);
  await database.execute(`update jobs set ${dueRowLease.end}`);
  expect(await takeDue.run(database, { leaseSeconds: 0.5 })).toEqual([{ fence: 2 }]);
});

test('a row is leased from the moment it is inserted, and taken over once that lease has ended', async () => {
  const { isFree, take: takeOver } = leaseWithAlias('j');
  const insertLeased = statement<{ id: string; leaseSeconds: number }, { fence: number }>({
    name: 'insert-leased-job',
    sql: `insert into jobs as j (id, lease_until, fence) values (:id, ${leaseEnd}, 1)
      on conflict (id) do update set ${takeOver} where ${isFree} returning fence`,
  });
  const run = () => insertLeased.run(database, { id: 'a', leaseSeconds: 30 });
  expect(await run()).toEqual([{ fence: 1 }]);
  expect(await run()).toEqual([]);
  await expireLeases();
  expect(await run()).toEqual([{ fence: 2 }]);
});

test('the key of a lease may be a column of two words', async () => {
  await database.execute("insert into steps values ('a', now(), 4)");
  const steps = createLeases({ table: 'steps', key: ['jobId'] });
  expect(await steps.release(database, { jobId: 'a', fence: 3 })).toBe(false);
  expect(await steps.release(database, { jobId: 'a', fence: 4 })).toBe(true);
});
