import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { acquireDatabases, disposeAfterAll, type TestService } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { createDatabase } from '../src/connection/index.ts';
import { type Migration, migrate } from '../src/migrate/index.ts';
import { InvalidMigrations } from '../src/migrate/migration.ts';
import { quiet } from './support/quiet.ts';

let service: TestService;
const databases = await disposeAfterAll(acquireDatabases());

beforeEach(async () => {
  service = await databases.service('intake');
});

const options = (migrations: Migration[]) => ({
  ownerUrl: service.ownerUrl,
  schema: service.schema,
  appRole: service.appRole,
  migrations,
});
const run = (...migrations: Migration[]) => migrate({ ...options(migrations), logger: quiet });
const people: Migration = {
  name: '20260101000000_people',
  sql: 'create table people (id integer primary key); insert into people values (1);',
};
const names: Migration = {
  name: '20260102000000_names',
  sql: `alter table people add column name text not null default 'a ? b'`,
};
const openAsApp = () =>
  createDatabase({ url: service.appUrl, schema: service.schema, entities: [], logger: quiet });

test('migrations run once, in the order of their names', async () => {
  expect(await run(names, people)).toEqual([people.name, names.name]);
  expect(await run(people, names)).toEqual([]);
  expect(await service.database.query('select * from intake.people')).toEqual([{ id: 1, name: 'a ? b' }]);
});

async function migratingProcess(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'support', 'migrating-process.ts'), { execArgv: [] });
  await once(child, 'message');
  return child;
}

test('two processes that migrate at the same time run each migration once', async () => {
  const slow: Migration = { ...people, sql: `${people.sql} select pg_sleep(0.5);` };
  const processes = await Promise.all([migratingProcess(), migratingProcess()]);
  const results = processes.map(async (child) => {
    child.send(options([slow, names]));
    const [applied] = await once(child, 'message');
    await once(child, 'exit');
    return applied as string[];
  });
  const applied = await Promise.all(results);
  expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], [people.name, names.name]]);
});

test('a migration that fails leaves nothing behind and runs again when it is mended', async () => {
  const broken: Migration = { ...names, sql: `${names.sql}; select 1 / 0;` };
  await expect(run(people, broken)).rejects.toThrow('division by zero');
  expect(await service.database.query('select * from intake.people')).toEqual([{ id: 1 }]);
  expect(await run(people, names)).toEqual([names.name]);
});

test('a migration that has run and was edited since is refused', async () => {
  await run(people);
  await expect(run({ ...people, sql: `${people.sql} select 1;` })).rejects.toThrow(InvalidMigrations);
});

test('a step outside a transaction can build an index concurrently', async () => {
  const index: Migration = {
    name: '20260103000000_index',
    sql: 'create index concurrently people_id on people (id)',
    withoutTransaction: true,
  };
  expect(await run(people, index)).toEqual([people.name, index.name]);
});

test('the application role reads and writes rows, of tables made later too', async () => {
  await run(people);
  await run(people, { name: '20260104000000_more', sql: 'create table more (n bigserial primary key)' });
  await using database = openAsApp();
  await database.execute('update people set id = 2');
  expect(await database.execute('insert into more default values returning n')).toEqual([{ n: '1' }]);
  expect(await database.execute('delete from people returning id')).toEqual([{ id: 2 }]);
});

test('the database alone numbers the rows of a table with an identity', async () => {
  const letters = {
    name: '20260104000000_letters',
    sql: 'create table letters (n bigint generated always as identity primary key, text text)',
  };
  await run(letters);
  await using database = openAsApp();
  expect(await database.execute(`insert into letters (text) values ('a') returning n`)).toEqual([{ n: '1' }]);
  for (const taken of [
    'insert into letters (n, text) overriding system value values (2, null)',
    `select setval('letters_n_seq', 9)`,
    'update letters set n = default where false; alter table letters alter n restart with 1',
  ])
    await expect(database.execute(taken)).rejects.toMatchObject({ code: '42501' });
  expect(await database.execute(`insert into letters (text) values ('b') returning n`)).toEqual([{ n: '2' }]);
});

test.each([
  'create table mine (id integer)',
  'create temporary table mine (id integer)',
  'create table public.mine (id integer)',
  'create schema mine',
  'create function mine() returns integer language sql as $$ select 1 $$',
  'alter table people add column mine text',
  'drop table people',
  'truncate people',
  'create index mine on people (id)',
  'delete from migrations',
  'select * from migration_checksums',
])('the application role may not: %s', async (statement) => {
  await run(people);
  await using database = openAsApp();
  await expect(database.execute(statement)).rejects.toMatchObject({ code: '42501' });
});

const both: Migration = {
  name: '20260101000000_release',
  sql: 'create table people (id integer primary key, name text not null);',
  replaces: [people.name, names.name],
};

test('a migration that replaces others is recorded, and not run, where they have run', async () => {
  await run(people, names);
  expect(await run(both)).toEqual([]);
  expect(await service.database.query('select * from intake.people')).toEqual([{ id: 1, name: 'a ? b' }]);
  const applied = await service.database.query<{ name: string }>('select name from intake.migrations');
  expect(applied.map(({ name }) => name).toSorted()).toEqual([people.name, both.name, names.name].toSorted());
  expect(await run(both)).toEqual([]);
  await expect(run({ ...both, sql: 'select 1;' })).rejects.toThrow(InvalidMigrations);
});

test('a migration that replaces others is run in a new schema', async () => {
  expect(await run(both)).toEqual([both.name]);
  expect(await service.database.query('select * from intake.people')).toEqual([]);
});

test('a migration that replaces others is refused where only some of them have run', async () => {
  await run(people);
  await expect(run(both)).rejects.toThrow(/20260102000000_names has not run/);
  expect(await service.database.query('select * from intake.people')).toEqual([{ id: 1 }]);
});
