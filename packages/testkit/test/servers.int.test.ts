import { connect, type NatsConnection } from 'nats';
import { expect, test } from 'vitest';
import { testNats, testPostgres } from '../src/index.ts';

async function client(url: string, user?: string): Promise<NatsConnection> {
  return connect({ servers: url, ...(user === undefined ? {} : { user, pass: 'secret' }) });
}

test('a service gets its own schema and its application role sees no table that was not granted', async () => {
  await using postgres = await testPostgres();
  const { database, ownerRole, appRole, schema } = await postgres.service('intake');
  await database.query(`create table intake.t(id int); alter table intake.t owner to ${ownerRole}`);
  const [row] = await database.query<{ owner: string; app: boolean; create: boolean }>(
    `select (select nspowner::regrole::text from pg_namespace where nspname = $1) as owner,
            has_table_privilege($2, 'intake.t', 'select') as app,
            has_schema_privilege($2, 'intake', 'create') as create`,
    [schema, appRole],
  );
  expect(row).toEqual({ owner: 'rubrica_intake_owner', app: false, create: false });
});

test('roles, which all databases of a server share, are made by several at once', async () => {
  await using postgres = await testPostgres();
  const databases = await Promise.all(Array.from({ length: 8 }, () => postgres.createDatabase()));
  for (const service of ['intake', 'terms', 'intake'])
    await Promise.all(databases.map((database) => database.createService(service)));
  const roles = await databases[0]?.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname like 'rubrica\\_%' order by 1",
  );
  expect(roles?.map(({ name }) => name)).toEqual([
    'rubrica_intake',
    'rubrica_intake_owner',
    'rubrica_terms',
    'rubrica_terms_owner',
  ]);
});

test('a template is prepared once and its clones do not see each other', async () => {
  await using postgres = await testPostgres();
  let prepared = 0;
  const clone = () =>
    postgres.fromTemplate('numbers', async (database) => {
      prepared += 1;
      await database.query('create table numbers as select 1 as n');
    });
  const [first, second] = [await clone(), await clone()];
  await first.query('insert into numbers values (2)');
  expect(prepared).toBe(1);
  expect(await first.query('select n from numbers order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await second.query('select n from numbers')).toEqual([{ n: 1 }]);
});

test('PostgreSQL keeps committed rows over a SIGKILL and comes back on its port', async () => {
  await using postgres = await testPostgres();
  const database = await postgres.createDatabase();
  await database.query('create table kept as select 7 as n');
  const before = postgres.pid();
  await postgres.kill();
  await postgres.restart();
  expect(postgres.pid()).not.toBe(before);
  expect(await database.query('select n from kept')).toEqual([{ n: 7 }]);
});

test('nats-server keeps its streams over a SIGKILL and comes back on its port', async () => {
  await using nats = await testNats();
  const first = await client(nats.url);
  const manager = await first.jetstreamManager();
  await manager.streams.add({ name: 'KEPT', subjects: ['kept'] });
  await first.jetstream().publish('kept', new Uint8Array([1]));
  await first.close();
  await nats.kill();
  await nats.restart();
  const second = await client(nats.url);
  const { state } = await (await second.jetstreamManager()).streams.info('KEPT');
  await second.close();
  expect(state.messages).toBe(1);
});

test('a NATS user is held to its lists', async () => {
  await using nats = await testNats({
    users: [
      { user: 'narrow', password: 'secret', publish: { allow: ['allowed'] }, subscribe: { allow: [] } },
    ],
  });
  const connection = await client(nats.url, 'narrow');
  const refusals = connection.status()[Symbol.asyncIterator]();
  connection.publish('allowed');
  connection.publish('forbidden');
  const first = await refusals.next();
  await connection.close();
  expect(JSON.stringify(first.value)).toContain('forbidden');
});
