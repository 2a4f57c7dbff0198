import { findPooler, type TestPooler, testPooler } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../src/connection/index.ts';
import { createRelay } from '../src/relay/index.ts';
import { statement } from '../src/statement/index.ts';
import { fixture, until } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';

const sql = 'create table entry (id int primary key, note text not null);';

const insert = statement<{ id: number }, { id: number }>({
  name: 'insert-entry',
  sql: "insert into entry (id, note) values (:id, 'plain') returning id",
});
const insertTogether = statement<{ id: number }, { id: number }>({
  name: 'insert-entry-together',
  groupCommit: true,
  sql: "insert into entry (id, note) values (:id, 'together') returning id",
});
const backend = 'select pg_backend_pid() as pid';

async function ground() {
  await using owned = new AsyncDisposableStack();
  const shared = owned.use(await fixture({ sql }));
  const { appUrl, schema, database: direct } = shared.service;
  const pooler: TestPooler = owned.use(await testPooler(Number(new URL(appUrl).port)));
  const database = owned.use(
    createDatabase({
      url: pooler.through(appUrl),
      directUrl: appUrl,
      schema,
      entities: [],
      logger: quiet,
      poolSize: 20,
    }),
  );
  const held = owned.move();
  return { database, direct, shared, appUrl, schema, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.skipIf(findPooler() === undefined)(
  'behind PgBouncer in transaction mode (skipped where it is not installed)',
  () => {
    it('statements of every kind work, whichever session each of them gets', async () => {
      await using at = await ground();
      const sessions = new Set<number>();
      for (const round of numbers(3)) {
        await Promise.all(
          numbers(40).map(async (index) => {
            const id = (round * 40 + index) * 10;
            expect(await insert.run(at.database, { id })).toEqual([{ id }]);
            expect(await insertTogether.run(at.database, { id: id + 1 })).toEqual([{ id: id + 1 }]);
            const { rows, committed } = await at.database.aheadOfCommit(insert.bind({ id: id + 2 }));
            expect(rows).toEqual([{ id: id + 2 }]);
            await committed;
            await at.database.transaction(async (em) => {
              await insert.run(em, { id: id + 3 });
              await insert.run(em, { id: id + 4 });
            });
            const [row] = await at.database.execute<{ pid: number }>(backend);
            sessions.add(row?.pid ?? 0);
          }),
        );
      }
      expect(sessions.size).toBeGreaterThan(1);
      expect(await at.direct.query(`select count(*)::int as count from ${at.schema}.entry`)).toEqual([
        { count: 600 },
      ]);
    });

    it('a session begins as one that comes straight', async () => {
      await using at = await ground();
      const straight = at.shared.open();
      const names = ['search_path', 'timezone', 'statement_timeout', 'idle_in_transaction_session_timeout'];
      const settings = `select name, setting from pg_settings where name = any($1) order by name`;
      expect(await at.database.execute(settings, [names])).toEqual(await straight.execute(settings, [names]));
      await expect(at.database.ping()).resolves.toBeUndefined();
    });

    it('it is not ready where the role does not name the schema, and says what to set', async () => {
      await using at = await ground();
      await at.direct.query(`alter role ${at.shared.service.appRole} reset search_path`);
      await at.direct.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename like 'rubrica\\_%'",
      );
      await until(
        () =>
          at.database.ping().then(
            () => 'ready',
            (error: Error) => error.message,
          ),
        (said) => said.includes('SET search_path = intake'),
      );
    });

    it('the relay holds its lock by the direct address, and hears of what was emitted', async () => {
      await using at = await ground();
      const published: string[] = [];
      const relay = createRelay({
        databaseUrl: at.database.directUrl,
        database: at.database,
        publish: async ({ id }) => {
          published.push(id);
          return { duplicate: false };
        },
        logger: quiet,
      });
      relay.start();
      await at.direct.query(
        `insert into ${at.schema}.outbox (subject, message_id, payload, headers) values ('s', 'one', '{}', '{}')`,
      );
      await until(
        () => published,
        (ids) => ids.includes('one'),
      );
      const held = await at.direct.query(
        `select 1 from ${at.schema}.named_lock l join pg_stat_activity a
          on a.pid = l.session_pid and a.backend_start = l.session_started_at where l.name = 'relay'`,
      );
      expect(held).toHaveLength(1);
      await relay.stop();
    });
  },
);
