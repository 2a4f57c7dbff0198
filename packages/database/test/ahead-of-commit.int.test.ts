import { allowAdvisoryLocks } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { statement } from '../src/statement/index.ts';
import { fixture } from './support/fixture.ts';

/** Commits wait for whoever holds the lock, and fail where the note says so. */
const sql = `
create table entry (id int primary key, note text);
create function at_commit() returns trigger language plpgsql as $$ begin
  if new.note = 'refused' then raise exception 'refused at its commit'; end if;
  perform pg_advisory_xact_lock(7);
  return null;
end $$;
create constraint trigger at_commit after insert on entry deferrable initially deferred
  for each row execute function at_commit();`;

const insert = statement<{ id: number; note: string | null }, { id: number; note: string | null }>({
  name: 'insert-entry',
  sql: 'insert into entry (id, note) values (:id, :note) returning id, note',
});

async function ground() {
  const shared = await fixture({ sql });
  await allowAdvisoryLocks(shared.service.database);
  const database = shared.open();
  const locker = shared.open({ poolSize: 1 });
  return {
    emitting: () => database.aheadOfCommit({ ...insert.bind({ id: 1, note: null }), emits: true }),
    ahead: (id: number, note: string | null = null) => database.aheadOfCommit(insert.bind({ id, note })),
    hold: () => locker.execute('select pg_advisory_lock(7)'),
    letGo: () => locker.execute('select pg_advisory_unlock(7)'),
    stored: async () =>
      (await database.execute<{ id: number }>('select id from entry order by id')).map(({ id }) => id),
    [Symbol.asyncDispose]: shared[Symbol.asyncDispose],
  };
}

describe('a statement ahead of its commit', () => {
  it('gives its rows while the commit waits, and says when it is on file', async () => {
    await using at = await ground();
    await at.hold();
    const { rows, committed } = await at.ahead(1);
    expect(rows).toEqual([{ id: 1, note: null }]);
    expect(await at.stored()).toEqual([]);
    await at.letGo();
    await committed;
    expect(await at.stored()).toEqual([1]);
  });

  it('says that a commit failed whose rows were given, and its connection goes on', async () => {
    await using at = await ground();
    for (const id of [1, 2, 3, 4, 5, 6]) {
      const { rows, committed } = await at.ahead(id, 'refused');
      expect(rows).toHaveLength(1);
      await expect(committed).rejects.toThrow('refused at its commit');
    }
    await (await at.ahead(7)).committed;
    expect(await at.stored()).toEqual([7]);
  });

  it('is refused where it emits, before anything is written', async () => {
    await using at = await ground();
    await expect(at.emitting()).rejects.toThrow('insert-entry emits');
    expect(await at.stored()).toEqual([]);
  });

  it('throws where it did not run', async () => {
    await using at = await ground();
    await (await at.ahead(1)).committed;
    for (let i = 0; i < 6; i++) await expect(at.ahead(1)).rejects.toThrow('duplicate key');
    await (await at.ahead(2)).committed;
    expect(await at.stored()).toEqual([1, 2]);
  });
});
