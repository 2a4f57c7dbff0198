import { createHmac } from 'node:crypto';
import { createDatabase } from '@rubrica/database/connection';
import { checkRows, createRowGuard, type GuardedTable } from '@rubrica/database/guarded';
import { disposeAfterAll, type TestService, testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { guardedTables, schema } from '../src/entities.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const provisioned = { main: new URL('../src/main.ts', import.meta.url) };
const ground = await disposeAfterAll(testGround('intake', { provisioned }));
const { service } = ground;
const database = await disposeAfterAll(createDatabase({ url: service.appUrl, schema, entities: [], logger }));

/** Keys of MACs: the first makes them, all verify. */
function createKeys(...kids: readonly string[]) {
  const make = (kid: string, data: string) =>
    `${kid}.${createHmac('sha256', kid).update(data).digest('hex')}`;
  return {
    mac: (data: string) => make(kids[0] ?? '', data),
    isMac: (data: string, mac: string) => kids.some((kid) => make(kid, data) === mac),
    isPresentMac: (mac: string) => mac.startsWith(`${kids[0]}.`),
  };
}

/** Tables whose rows get a new MAC, with the table that has the row. */
const renewed = guardedTables.filter(({ check }) => check !== 'none');
const sourceOf = ({ name, source, macColumn }: GuardedTable) => source ?? { table: name, macColumn };

/** One id for all rows, so that rows of several tables belong together. */
const id = '01980000-0000-7000-8000-000000000001';
const values: Readonly<Record<string, string>> = {
  uuid: `'${id}'`,
  timestamptz: 'now()',
  jsonb: `'[]'`,
  bool: 'false',
  int4: '1',
  int8: '1',
  float8: '1',
  bytea: `'\\x00'`,
};
/** Columns that may be null, in rows that are still used. */
const used: Readonly<Record<string, readonly string[]>> = { request: ['claim_token_sha256'] };
const special: Readonly<Record<string, string>> = { month: `'2026-11-01'` };

/** Writes a row as nobody may: without triggers and without rows that it refers to. */
async function insertRow({ database: owner }: TestService, table: GuardedTable): Promise<void> {
  const { table: name, macColumn } = sourceOf(table);
  const columns = await owner.query<{ column_name: string; udt_name: string }>(
    `select column_name, udt_name from information_schema.columns
    where table_schema = $1 and table_name = $2 and is_identity = 'NO' and is_generated = 'NEVER'
      and (is_nullable = 'NO' or column_name = any ($3))`,
    [schema, name, [macColumn, ...(used[name] ?? [])]],
  );
  const named = columns.map((one) => one.column_name).join(', ');
  const given = columns.map(({ column_name, udt_name }) => {
    if (udt_name.startsWith('_')) return `'{}'`;
    return special[column_name] ?? values[udt_name] ?? `'a${column_name}'`;
  });
  await owner.query(`set session_replication_role = replica; set search_path = ${schema};
    insert into ${name} (${named}) values (${given.join(', ')}) on conflict do nothing`);
}

/** Reads the guarded columns of the row. */
async function readRow(table: GuardedTable): Promise<Readonly<Record<string, unknown>>> {
  const { name, source } = table;
  const columns = ['id', table.versionColumn, table.macColumn, ...table.fields.map(({ column }) => column)];
  const row =
    source?.row ?? `jsonb_build_object(${columns.map((one) => `'${one}', ${name}.${one}`).join(', ')})`;
  const [found] = await database.execute<{ row: Readonly<Record<string, unknown>> }>(
    `select ${row} as row from ${source?.table ?? name} ${source?.join ?? ''} limit 1`,
  );
  if (found === undefined) throw new Error(`no row in ${name}`);
  return found.row;
}

async function writeMac(table: GuardedTable, mac: string): Promise<void> {
  const { table: name, macColumn } = sourceOf(table);
  await service.database.query(
    `set session_replication_role = replica; update ${schema}.${name} set ${macColumn} = '${mac}'`,
  );
}

/** Drops the constraints on values: the rows of this test have values without a meaning. */
async function dropChecks(): Promise<void> {
  await service.database.query(`do $checks$ declare found record; begin
    for found in select conrelid::regclass as name, conname from pg_constraint
      where contype = 'c' and connamespace = '${schema}'::regnamespace
    loop execute format('alter table %s drop constraint %I', found.name, found.conname); end loop;
  end $checks$`);
}

it('every row that lives longer than an hour gets a MAC of a new key, so that the former key can end', async () => {
  await dropChecks();
  const former = createRowGuard({ keys: createKeys('former'), tables: renewed, onFailed: () => {} });
  for (const table of renewed) await insertRow(service, table);
  for (const table of renewed) {
    const row = await readRow(table);
    const fields = table.fields.map(({ name, column }) => [name, row[column]] as const);
    const version = Number(row[table.versionColumn]);
    const protectedRow = { id: String(row.id), ...Object.fromEntries(fields) };
    await writeMac(table, former.protect(table.name, protectedRow, version).mac);
  }
  const failed: string[] = [];
  const onFailed = ({ table }: { table: string }) => void failed.push(table);
  const keys = createKeys('present', 'former');
  const guard = createRowGuard({ keys, tables: renewed, onFailed });
  expect(await checkRows({ database, guard, keys, tables: renewed })).toBe(renewed.length);
  expect(failed).toEqual([]);
  const later = createRowGuard({ keys: createKeys('present'), tables: renewed, onFailed });
  for (const table of renewed) {
    const row = await readRow(table);
    expect([table.name, later.isIntact(table.name, row)]).toEqual([table.name, true]);
  }
});
