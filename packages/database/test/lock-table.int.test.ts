import { disposeAfterAll, testPostgres } from '@rubrica/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { fixture } from './support/fixture.ts';

/** A server with a small table of locks, which all its databases share. */
const postgres = await disposeAfterAll(
  testPostgres({ settings: { max_connections: '20', max_locks_per_transaction: '10' } }),
);
const shared = await disposeAfterAll(fixture({ postgres }));

test('the role of a service takes no advisory lock, makes no large object and no temporary table', async () => {
  const { appUrl } = await shared.service.database.createService('terms');
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace
       and (proname ~ 'advisory' or proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import'))
       and has_function_privilege(oid, 'execute')`,
  );
  expect(rows).toEqual([]);
  for (const attempt of [
    'select pg_advisory_lock(1, g) from generate_series(1, 24000) g',
    'select lo_create(0)',
    'create temporary table mine (id integer)',
  ])
    await expect(client.query(attempt)).rejects.toThrow('permission denied');
  await client.end();
});

test('a fence is not used up: it moves forward one by one', async () => {
  const database = shared.open();
  await database.execute(`insert into named_lock (name) values ('mine')`);
  await database.execute(`update named_lock set fence = fence + 1 where name = 'mine'`);
  for (const write of [
    `update named_lock set fence = 9223372036854775807 where name = 'mine'`,
    `insert into named_lock (name, fence) values ('other', 9223372036854775807)`,
  ])
    await expect(database.execute(write)).rejects.toThrow('one by one');
});

test('a server whose table of locks is full is not ready', async () => {
  const database = shared.open();
  await database.ping();
  const locking = new pg.Client({ connectionString: shared.service.database.superuserUrl });
  await locking.connect();
  const fill = async () => {
    for (let first = 0; ; first += 100)
      await locking.query('select pg_advisory_lock(1, g) from generate_series($1::int, $2::int) g', [
        first,
        first + 99,
      ]);
  };
  await expect(fill()).rejects.toThrow('out of shared memory');
  await expect(database.ping()).rejects.toThrow('out of shared memory');
  await locking.end();
  await expect
    .poll(() =>
      database.ping().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});
