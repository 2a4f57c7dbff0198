import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../src/connection/index.ts';
import { fixture } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';

/** A role changes its own defaults for good: that takes no right but its password. */
const shared = await disposeAfterAll(fixture());

const alter = (what: string) => {
  const { appRole, database } = shared.service;
  return `alter role ${appRole} in database ${database.name} ${what}`;
};
beforeEach(async () => {
  await shared.service.database.query(alter('reset all'));
});

/** New connections; through a pooler in transaction mode there are no options. */
function open(pooled = false): Database {
  const { appUrl: url, schema } = shared.service;
  const options = { url, schema, entities: [], logger: quiet, poolSize: 1 };
  return createDatabase(pooled ? { ...options, directUrl: url } : options);
}

const changes = [
  ['extra_float_digits', '-9'],
  ['datestyle', 'SQL, DMY'],
  ['intervalstyle', 'sql_standard'],
  ['timezone', 'Pacific/Kiritimati'],
  ['bytea_output', 'escape'],
  ['default_transaction_isolation', 'repeatable read'],
  ['default_transaction_read_only', 'on'],
  ['default_transaction_deferrable', 'on'],
  ['lock_timeout', '1ms'],
  ['row_security', 'off'],
  ['statement_timeout', '1h'],
  ['search_path', 'public'],
] as const;

async function changed(name: string, value: string): Promise<void> {
  await using own = open();
  await own.execute(alter(`set ${name} = '${value}'`));
}
const settingOf = async (database: Database, name: string) =>
  (await database.execute<{ value: string }>('select current_setting($1) as value', [name]))[0]?.value;

describe('a default that the role has set for itself', () => {
  it.each(changes)('is not that of a connection: %s', async (name, value) => {
    await using before = open();
    const right = await settingOf(before, name);
    await changed(name, value);
    await using database = open();
    expect(await settingOf(database, name)).toBe(right);
    expect(right).not.toBe(value);
  });

  it.each(changes.filter(([name]) => name !== 'statement_timeout'))(
    'keeps a copy behind a pooler from being ready: %s',
    async (name, value) => {
      await using right = open(true);
      await right.ping();
      await changed(name, value);
      await using database = open(true);
      await expect(database.ping()).rejects.toThrow(`ALTER ROLE … SET ${name} = `);
    },
  );

  it.each([false, true])('does not turn the clock; through a pooler: %s', async (pooled) => {
    await changed('extra_float_digits', '-9');
    await using database = open(pooled);
    const [row] = await shared.service.database.query<{ ms: string }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    );
    expect(Math.abs((await database.clockMs()) - Number(row?.ms))).toBeLessThan(30_000);
  });
});
