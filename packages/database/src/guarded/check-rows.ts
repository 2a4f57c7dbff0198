import type { Database } from '../connection/create-database.ts';
import { isDatabaseUnavailable } from '../connection/errors.ts';
import { findRowSource, type GuardedTable, macData, toEntityRow } from './guarded-table.ts';
import type { RowGuard, RowMacs } from './row-guard.ts';

type StoredRow = Readonly<Record<string, unknown>>;

const batchRows = 500;

/**
 * Verifies every guarded row, used or not, so that a manipulation raises its alarm before anyone uses the row. Rows
 * with the MAC of a former key get one of the present key, so that the former can end.
 * @returns number of rows that got a new MAC
 * @throws AggregateError if a table could not be read, after the others were checked
 */
export async function checkRows(
  options: Checking & { readonly tables: readonly GuardedTable[] },
): Promise<number> {
  let renewed = 0;
  const failures: unknown[] = [];
  for (const table of options.tables.filter(({ check }) => check !== 'none')) {
    try {
      renewed += await checkTable(options, table);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // An unreadable row must not prevent the check of the other tables.
      options.guard.reportFailed({ table: table.name, id: 'unreadable' });
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'tables could not be checked');
  return renewed;
}

async function checkTable(options: Checking, table: GuardedTable): Promise<number> {
  let renewed = 0;
  for (let after: string = firstKeys[findRowSource(table).keyType]; ; ) {
    const rows = await readRows(options, table, after);
    for (const { key, row } of rows) {
      if (!options.guard.isIntact(table.name, row) || options.keys.isPresentMac(String(row.mac))) continue;
      renewed += await renewMac(options, table, { key, row });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchRows) return renewed;
    after = last.key;
  }
}

/** Keys before all others. */
const firstKeys = { uuid: '00000000-0000-0000-0000-000000000000', text: '', bigint: '-1' } as const;

interface Reading {
  readonly database: Pick<Database, 'execute'>;
  readonly keys: RowMacs;
}

interface Checking extends Reading {
  readonly guard: Pick<RowGuard, 'isIntact' | 'reportFailed'>;
}

interface ReadRow {
  readonly key: string;
  readonly row: StoredRow;
}

async function readRows(
  { database, keys }: Reading,
  table: GuardedTable,
  after: string,
): Promise<readonly ReadRow[]> {
  const { table: name, key, keyType, macColumn, row, join = '', where } = findRowSource(table);
  const presentKey = `${keys.mac('').split('.')[0]}.%`;
  const [former, params] =
    table.check === 'all' ? [undefined, [after]] : [`${name}.${macColumn} not like $2`, [after, presentKey]];
  const conditions = [`${name}.${key} > $1::${keyType}`, former, where].filter((one) => one !== undefined);
  const text = `select ${name}.${key}::text as key, ${row} as row from ${name} ${join}
    where ${conditions.join(' and ')} order by ${name}.${key} limit ${batchRows}`;
  const found = await database.execute<{ key: string; row: StoredRow }>(text, params);
  // The MAC has the name of its column where the row comes from the table itself.
  return found.map((read) => ({ key: read.key, row: { ...read.row, mac: read.row[table.macColumn] } }));
}

/** Replaces the MAC of the row that was just verified. A row written meanwhile has a new MAC already. */
async function renewMac({ database, keys }: Reading, table: GuardedTable, { key, row }: ReadRow) {
  const { table: name, key: column, keyType, macColumn } = findRowSource(table);
  const mac = keys.mac(macData(table, toEntityRow(table, row)));
  const text = `update ${name} set ${macColumn} = $1
    where ${column} = $2::${keyType} and ${macColumn} = $3 returning 1`;
  return (await database.execute(text, [mac, key, row.mac])).length;
}
