import type { Database } from '../connection/create-database.ts';
import { isDatabaseUnavailable } from '../connection/errors.ts';
import { type GuardedTable, guardedColumnsSql, macData, toEntityRow } from './guarded-table.ts';
import type { RowGuard, RowMacs } from './row-guard.ts';

type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string };

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
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await readRows(options, table, after);
    for (const row of rows) {
      const mac = String(row[table.macColumn]);
      if (!options.guard.isIntact(table.name, row) || options.keys.isPresentMac(mac)) continue;
      renewed += await renewMac(options, table, row);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchRows) return renewed;
    after = last.id;
  }
}

interface Reading {
  readonly database: Pick<Database, 'execute'>;
  readonly keys: RowMacs;
}

interface Checking extends Reading {
  readonly guard: Pick<RowGuard, 'isIntact' | 'reportFailed'>;
}

async function readRows({ database, keys }: Reading, table: GuardedTable, after: string) {
  const { name, macColumn, check } = table;
  const presentKey = `${keys.mac('').split('.')[0]}.%`;
  const [condition, params] =
    check === 'all' ? ['', [after]] : [`and ${macColumn} not like $2`, [after, presentKey]];
  const row = guardedColumnsSql(table, name);
  const text = `select ${row} as row from ${name} where id > $1::uuid ${condition} order by id limit ${batchRows}`;
  return (await database.execute<{ row: StoredRow }>(text, params)).map((read) => read.row);
}

/** Replaces the MAC of the row that was just verified. A row written meanwhile has a new MAC already. */
async function renewMac({ database, keys }: Reading, table: GuardedTable, row: StoredRow): Promise<number> {
  const { name, macColumn } = table;
  const mac = keys.mac(macData(table, toEntityRow(table, row)));
  const text = `update ${name} set ${macColumn} = $1 where id = $2::uuid and ${macColumn} = $3 returning 1`;
  return (await database.execute(text, [mac, row.id, row[macColumn]])).length;
}
