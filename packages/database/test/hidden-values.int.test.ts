import { expect, test } from 'vitest';
import { createDatabase } from '../src/connection/index.ts';
import { fixture } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';

test.each([
  ['insert', `insert into guarded values ('one', ?)`],
  ['update', `update guarded set mac = ? where id = 'other'`],
])('an %s of the ORM shows no value to another session of the role before its commit', async (_, write) => {
  await using shared = await fixture({
    sql: `create table guarded (id text primary key, mac text not null); insert into guarded values ('other', 'former');`,
  });
  const { appUrl: url, schema } = shared.service;
  await using database = createDatabase({ url, schema, entities: [], logger: quiet });
  await using other = createDatabase({ url, schema, entities: [], logger: quiet });
  await database.transaction(async (em) => {
    const run = (sql: string, params: string[] = []) =>
      em.getConnection().execute<{ pid: number }[]>(sql, params, 'all', em.getTransactionContext());
    const [session] = await run('select pg_backend_pid() as pid');
    await run(write, ['mac-of-a-row']);
    const [seen] = await other.execute<{ query: string; state: string }>(
      'select query, state from pg_stat_activity where pid = $1',
      [session?.pid],
    );
    expect(seen?.state).toBe('idle in transaction');
    expect(seen?.query).toMatch(/^\/\*/);
    expect(seen?.query).not.toContain('mac-of-a-row');
  });
  expect(await database.execute('select 1 from guarded where mac = $1', ['mac-of-a-row'])).toHaveLength(1);
});
