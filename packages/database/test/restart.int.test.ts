import { defineEntity, p } from '@mikro-orm/core';
import { testPostgres } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { createDatabase, isDatabaseUnavailable } from '../src/connection/index.ts';
import { fixture, until } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';
import { recorder } from './support/recorder.ts';
import { emitEach, numbered, relayCopy, unpublished } from './support/relays.ts';

test('PostgreSQL may be killed while in use: work fails with a known error, then everything goes on', async () => {
  await using postgres = await testPostgres();
  await using shared = await fixture({ postgres });
  const bus = recorder();
  await using copy = relayCopy(shared, bus.publish);
  const { database } = copy;
  await until(() => copy.relay.isActive(), Boolean);
  await emitEach(database, numbered('before', 20));

  const cut = database.execute('select pg_sleep(30)').catch((error) => error);
  // As many as the pool has places: were one lost with its transaction, too few would be left afterwards.
  const transactions = [1, 2, 3].map(() =>
    database.transaction((em) => em.execute('select pg_sleep(30)')).catch((error) => error),
  );
  await until(
    () =>
      shared.service.database.query(
        "select 1 from pg_stat_activity where query = 'select pg_sleep(30)' and state = 'active'",
      ),
    (rows) => rows.length === 4,
  );
  await postgres.kill();
  const errors = await Promise.all([cut, ...transactions, database.ping().catch((error) => error)]);
  expect(errors.map(isDatabaseUnavailable)).toEqual([true, true, true, true, true]);

  await postgres.restart();
  await until(
    () =>
      database.ping().then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  await Promise.all([1, 2, 3, 4].map(() => database.transaction((em) => em.execute('select pg_sleep(0.2)'))));
  await emitEach(database, numbered('after', 20));
  await until(
    () => unpublished(database),
    (count) => count === 0,
  );
  const expected = [...numbered('before', 20), ...numbered('after', 20)];
  expect([...new Set(bus.ids())].toSorted()).toEqual(expected.toSorted());
});

test('entities are read and written in the schema of the service', async () => {
  await using shared = await fixture({
    sql: 'create table notes (id serial primary key, text text not null, at timestamptz not null default now());',
  });
  const Note = defineEntity({
    name: 'Note',
    tableName: 'notes',
    properties: {
      id: p.integer().primary().autoincrement(),
      text: p.text(),
      at: p.datetime().defaultRaw('now()'),
    },
  });
  const { appUrl: url, schema } = shared.service;
  await using database = createDatabase({ url, schema, entities: [Note], logger: quiet });
  await database.transaction(async (em) => {
    em.create(Note, { text: "it's ? ñ" });
  });
  const [note] = await database.fork().findAll(Note);
  expect(note?.text).toBe("it's ? ñ");
  expect(note?.at).toBeInstanceOf(Date);
});

test('connections carry name and limits, and an idle transaction is ended', async () => {
  await using shared = await fixture();
  const { appUrl: url, schema } = shared.service;
  await using database = createDatabase({
    url,
    schema,
    entities: [],
    logger: quiet,
    statementTimeoutMs: 300,
    idleInTransactionTimeoutMs: 200,
  });
  expect(
    await database.execute(`select current_setting('application_name') as name,
      current_setting('search_path') as path, current_setting('TimeZone') as zone`),
  ).toEqual([{ name: 'rubrica-intake', path: 'intake', zone: 'UTC' }]);
  await expect(database.execute('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  const idle = database.transaction(async (em) => {
    await em.execute('select 1');
    const open =
      "select 1 from pg_stat_activity where state = 'idle in transaction' and usename = 'rubrica_intake'";
    await until(
      () => shared.service.database.query(open),
      (rows) => rows.length === 0,
    );
  });
  await expect(idle).rejects.toThrow();
  await database.ping();
});
