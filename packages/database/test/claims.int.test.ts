import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimColumnsSql, claimsOn, type Database, emit, FenceLost } from '../src/index.ts';
import { type Fixture, fixture, until } from './support/fixture.ts';
import { testEvent } from './support/relays.ts';

let shared: Fixture;
let database: Database;
beforeAll(async () => {
  shared = await fixture({
    sql: `create table jobs (id text primary key, state text not null default 'PENDING',
      created_at timestamptz not null default now(), ${claimColumnsSql})`,
  });
  database = shared.open();
});
afterAll(() => shared[Symbol.asyncDispose]());
beforeEach(() => shared.service.database.query('truncate intake.jobs'));

const jobs = claimsOn({ table: 'jobs' });
const insert = (...ids: string[]) =>
  database.execute('insert into jobs (id) select unnest($1::text[])', [ids]);
const expireLeases = () => database.execute("update jobs set lease_until = now() - interval '1 second'");
const state = async (id: string) =>
  (await database.execute<{ state: string }>('select state from jobs where id = $1', [id]))[0]?.state;

async function claimed(key: string) {
  const claim = await jobs.claim(database, { key, leaseSeconds: 30 });
  if (claim === undefined) throw new Error(`${key} could not be claimed`);
  return claim;
}

test('a row is held by one worker until its lease runs out; each claim raises fence and attempts', async () => {
  await insert('a');
  expect(await claimed('a')).toEqual({ key: 'a', fence: 1, attempts: 1, row: {} });
  expect(await jobs.claim(database, { key: 'a', leaseSeconds: 30 })).toBeUndefined();
  await expireLeases();
  expect(await claimed('a')).toMatchObject({ fence: 2, attempts: 2 });
});

test('a worker that lost its lease to another can no longer write', async () => {
  await insert('a');
  const slow = await claimed('a');
  await expireLeases();
  const fast = await claimed('a');
  const late = await jobs.write(database, slow, { set: { state: 'FAILED' } }).catch((error) => error);
  expect(late).toBeInstanceOf(FenceLost);
  expect(late).toMatchObject({ table: 'jobs', key: 'a', fence: 1 });
  await expect(jobs.extend(database, slow, 30)).rejects.toThrow(FenceLost);
  await jobs.write(database, fast, { set: { state: 'DONE' } });
  expect(await state('a')).toBe('DONE');
});

test('a lost fence rolls back everything its transaction did', async () => {
  await insert('a');
  const slow = await claimed('a');
  await expireLeases();
  await claimed('a');
  const late = database.transaction(async (em) => {
    await emit(em, testEvent('from-the-dead'));
    await jobs.hold(em, slow);
  });
  await expect(late).rejects.toThrow(FenceLost);
  expect(await database.execute('select 1 from outbox')).toEqual([]);
});

test('a held row cannot be claimed away before the transaction that holds it ends', async () => {
  await insert('a');
  const claim = await claimed('a');
  await expireLeases();
  const order: string[] = [];
  let rival: Promise<unknown> = Promise.resolve();
  const otherPool = shared.open();
  await database.transaction(async (em) => {
    await jobs.hold(em, claim);
    rival = jobs.claim(otherPool, { key: 'a', leaseSeconds: 30 }).then(() => order.push('claimed'));
    const waiting =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'update \"jobs\"%'";
    await until(
      () => shared.service.database.query(waiting),
      (rows) => rows.length === 1 || order.length > 0,
    );
    await jobs.write(em, claim, { set: { state: 'DONE' } });
    order.push('written');
  });
  await rival;
  expect(order).toEqual(['written', 'claimed']);
});

test('writing frees the row unless the lease is to be kept', async () => {
  await insert('a');
  const claim = await claimed('a');
  await jobs.write(database, claim, { set: { state: 'HALFWAY' }, keepLease: true });
  expect(await jobs.claim(database, { key: 'a', leaseSeconds: 30 })).toBeUndefined();
  await jobs.write(database, claim, { set: { state: 'DONE' } });
  expect(await claimed('a')).toMatchObject({ fence: 2 });
});

test('a batch takes the oldest, in order, and steps over rows that another transaction is claiming', async () => {
  await insert(...Array.from({ length: 40 }, (_, index) => `j${String(index + 10)}`).reverse());
  const request = {
    leaseSeconds: 30,
    limit: 3,
    orderBy: 'id',
    when: "state = 'PENDING'",
    returning: ['state'],
  };
  const otherPool = shared.open();
  const [first, second] = await database.transaction(async (em) => [
    await jobs.claimBatch<{ state: string }>(em, request),
    await jobs.claimBatch(otherPool, request),
  ]);
  expect(first?.map(({ key }) => key)).toEqual(['j10', 'j11', 'j12']);
  expect(second?.map(({ key }) => key)).toEqual(['j13', 'j14', 'j15']);
  expect(first?.[0]).toEqual({ key: 'j10', fence: 1, attempts: 1, row: { state: 'PENDING' } });
});

test('only rows that meet the condition are claimed', async () => {
  await insert('a');
  await database.execute("update jobs set state = 'DONE'");
  const when = "state = 'PENDING'";
  expect(await jobs.claim(database, { key: 'a', leaseSeconds: 30, when })).toBeUndefined();
});
