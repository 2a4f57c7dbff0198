import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDatabase, type Database, isDatabaseUnavailable } from '../src/connection/index.ts';
import { statement } from '../src/statement/index.ts';
import { fixture, until } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';

const sql = 'create table entry (id int primary key, note text not null);';

const insert = statement<{ id: number; note: string | null }, { id: number; xid: string }>({
  name: 'insert-entry',
  groupCommit: true,
  sql: 'insert into entry (id, note) values (:id, :note) returning id, pg_current_xact_id()::text as xid',
});
const forget = statement<{ id: number }>({
  name: 'forget-entry',
  groupCommit: true,
  sql: 'delete from entry where id = :id',
});
const read = statement<{ id: number }, { id: number; note: string }>({
  name: 'read-entry',
  groupCommit: true,
  sql: 'select id, note from entry where id = :id',
});
const slow = statement<{ seconds: number }>({
  name: 'sleep',
  groupCommit: true,
  sql: 'select pg_sleep(:seconds)',
});

async function ground() {
  const shared = await fixture({ sql });
  const { appUrl: url, schema } = shared.service;
  const database = createDatabase({ url, schema, entities: [], logger: quiet });
  return {
    database,
    service: shared.service,
    stored: async () =>
      (await database.execute<{ id: number }>('select id from entry order by id')).map(({ id }) => id),
    async [Symbol.asyncDispose]() {
      await database.close();
      await shared[Symbol.asyncDispose]();
    },
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const insertEach = (database: Database, ids: readonly number[]) =>
  Promise.all(ids.map((id) => insert.run(database, { id, note: `n${id}` })));

describe('statements of a group commit', () => {
  it('commit together when they come together, and each gets its own rows', async () => {
    await using at = await ground();
    const rows = await insertEach(at.database, upTo(20));
    expect(rows.map(([row]) => row?.id)).toEqual(upTo(20));
    expect(new Set(rows.map(([row]) => row?.xid)).size).toBe(1);
    expect(await at.stored()).toEqual(upTo(20));
  });

  it('are of many kinds: with rows, with none, and without any to give', async () => {
    await using at = await ground();
    await insertEach(at.database, [1, 2]);
    for (const _ of ['described', 'remembered']) {
      const [found, none, gone] = await Promise.all([
        read.run(at.database, { id: 1 }),
        read.run(at.database, { id: 7 }),
        forget.run(at.database, { id: 2 }),
      ]);
      expect(found).toEqual([{ id: 1, note: 'n1' }]);
      expect([none, gone]).toEqual([[], []]);
    }
    expect(await at.stored()).toEqual([1]);
  });

  it('count each for itself where one of them fails', async () => {
    await using at = await ground();
    await insertEach(at.database, [5]);
    const settled = await Promise.allSettled([
      insert.run(at.database, { id: 1, note: 'a' }),
      insert.run(at.database, { id: 5, note: 'again' }),
      insert.run(at.database, { id: 2, note: null }),
      insert.run(at.database, { id: 3, note: 'c' }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: { code: '23505' } });
    expect(settled[2]).toMatchObject({ reason: { code: '23502' } });
    expect(await at.stored()).toEqual([1, 3, 5]);
  });

  it('go on where the first run of a statement failed before it was prepared', async () => {
    await using at = await ground();
    await expect(
      Promise.all([insert.run(at.database, { id: 1, note: null }), read.run(at.database, { id: 1 })]),
    ).rejects.toMatchObject({ code: '23502' });
    await insertEach(at.database, upTo(5));
    expect(await read.run(at.database, { id: 4 })).toEqual([{ id: 4, note: 'n4' }]);
  });

  it('all fail with the connection, and the next ones have another', async () => {
    await using at = await ground();
    await insertEach(at.database, [1]);
    const cut = [slow.run(at.database, { seconds: 30 }), insert.run(at.database, { id: 2, note: 'b' })];
    const settled = Promise.allSettled(cut);
    const asleep = "from pg_stat_activity where query like 'select pg_sleep($1%' and state = 'active'";
    await until(
      () => at.service.database.query(`select pid ${asleep}`),
      (rows) => rows.length === 1,
    );
    await at.service.database.query(`select pg_terminate_backend(pid) ${asleep}`);
    for (const one of await settled) {
      expect(one.status === 'rejected' && isDatabaseUnavailable(one.reason)).toBe(true);
    }
    await insertEach(at.database, [3]);
    expect(await at.stored()).toEqual([1, 3]);
  });

  it('refuse a parameter that has no text, alone', async () => {
    await using at = await ground();
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const settled = await Promise.allSettled([
      insert.run(at.database, { id: 1, note: circular as never }),
      insert.run(at.database, { id: 2, note: 'b' }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('nudge the relay once they have committed', async () => {
    await using at = await ground();
    const emitting = statement<{ id: number }>({
      name: 'emitting',
      groupCommit: true,
      emits: true,
      sql: "insert into entry (id, note) values (:id, '')",
    });
    const seen: Promise<number[]>[] = [];
    at.database.onEmitted(() => seen.push(at.stored()));
    await Promise.all([1, 2].map((id) => emitting.run(at.database, { id })));
    expect(await Promise.all(seen)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});

describe('parameters of a group commit', () => {
  const kinds = statement<{ value: unknown }, { value: unknown }>;
  const of = (type: string) =>
    kinds({ name: `echo-${type}`, groupCommit: true, sql: `select :value::${type} as value` });
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));

  it.each([
    ['text', text],
    ['text[]', fc.array(fc.option(text))],
    ['int[]', fc.array(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }))],
    ['jsonb', fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()))],
    ['boolean', fc.boolean()],
    ['bytea', fc.uint8Array().map((bytes) => Buffer.from(bytes))],
  ])('arrive as they were: %s', async (type, values) => {
    await using at = await ground();
    const echo = of(type);
    await fc.assert(
      fc.asyncProperty(values as fc.Arbitrary<unknown>, async (value) => {
        const [row] = await echo.run(at.database, { value });
        expect(row?.value).toEqual(value);
      }),
    );
  });

  it('arrive as they were: instants, whatever the time zone of the process', async () => {
    await using at = await ground();
    const instant = of('timestamptz');
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
        async (value) => {
          const [row] = await instant.run(at.database, { value });
          expect(new Date(row?.value as string)).toEqual(value);
        },
      ),
    );
  });
});
