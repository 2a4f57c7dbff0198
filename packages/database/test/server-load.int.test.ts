import { disposeAfterAll, testPostgres } from '@rubrica/testkit';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { readServerLoad } from '../src/connection/index.ts';
import { fixture } from './support/fixture.ts';

/** A server with a small table of locks. One service reads the load, the role of another has a session of its own. */
const postgres = await disposeAfterAll(
  testPostgres({ settings: { max_connections: '20', max_locks_per_transaction: '10' } }),
);
const shared = await disposeAfterAll(fixture({ postgres, sql: 'create table ticket (id integer)' }));
const terms = await shared.service.database.createService('terms');
const reading = await connect(terms.appUrl);
const holding = await connect(shared.service.appUrl);

afterAll(async () => {
  await reading.end();
  await holding.end();
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function readLoad() {
  const execute = async <Row>(text: string) => (await reading.query(text)).rows as Row[];
  const roles = await readServerLoad({ execute });
  const load = roles.find(({ role }) => role === shared.service.appRole);
  if (load === undefined) throw new Error('the load of the role is not shown');
  return load;
}

test('a service sees the locks of another role, also when the table of locks is full', async () => {
  expect((await readLoad()).locks).toBe(0);
  await holding.query('begin');
  const table = `${shared.service.schema}.ticket`;
  const savepoints = (count: number) =>
    holding.query(`savepoint one; insert into ${table} values (1);`.repeat(count));
  await savepoints(50);
  expect((await readLoad()).locks).toBeGreaterThanOrEqual(50);
  const fill = async () => {
    for (;;) await savepoints(100);
  };
  await expect(fill()).rejects.toThrow('out of shared memory');
  expect((await readLoad()).locks).toBeGreaterThan(200);
  await holding.query('rollback');
  expect((await readLoad()).locks).toBe(0);
});

test('a service sees how old the oldest snapshot of another role is', async () => {
  await holding.query('begin isolation level repeatable read; select 1');
  const before = (await readLoad()).snapshotAge;
  const others = shared.open();
  for (let count = 0; count < 20; count++) await others.execute('select pg_current_xact_id()');
  expect((await readLoad()).snapshotAge).toBeGreaterThanOrEqual(before + 20);
  await holding.query('rollback');
  expect((await readLoad()).snapshotAge).toBeLessThan(before + 20);
});
