import type { Database } from '../connection/create-database.ts';
import { type GuardedTable, guardedColumnsSql, macData, rowOf } from './guarded-table.ts';
import type { RowGuard, RowMacs } from './row-guard.ts';

type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string };

const batchRows = 500;

/**
 * Looks at every guarded row, used or not: what was changed raises its alarm before anybody tries it. What a former key
 * protects gets the MAC of the present one, so that the former can be ended.
 * @returns how many rows got a new MAC
 */
export async function checkRows(options: {
  readonly database: Pick<Database, 'execute'>;
  readonly guard: Pick<RowGuard, 'isIntact'>;
  readonly keys: RowMacs;
  readonly tables: readonly GuardedTable[];
}): Promise<number> {
  let renewed = 0;
  for (const table of options.tables.filter(({ check }) => check !== 'none')) {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await readRows(options, table, after);
      for (const row of rows) {
        const mac = String(row[table.macColumn]);
        if (!options.guard.isIntact(table.name, row) || options.keys.isPresentMac(mac)) continue;
        renewed += await renew(options, table, row);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < batchRows) break;
      after = last.id;
    }
  }
  return renewed;
}

interface Reading {
  readonly database: Pick<Database, 'execute'>;
  readonly keys: RowMacs;
}

async function readRows({ database, keys }: Reading, table: GuardedTable, after: string) {
  const { name, macColumn, check } = table;
  const presentKey = `${keys.mac('').split('.')[0]}.%`;
  const [condition, params] =
    check === 'all' ? ['', [after]] : [`and ${macColumn} not like $2`, [after, presentKey]];
  const row = check === 'all' ? `to_jsonb(${name})` : guardedColumnsSql(table, name);
  const text = `select ${row} as row from ${name} where id > $1::uuid ${condition} order by id limit ${batchRows}`;
  return (await database.execute<{ row: StoredRow }>(text, params)).map((read) => read.row);
}

/** Only over what was just judged: a row that was written meanwhile has a new MAC already. */
async function renew({ database, keys }: Reading, table: GuardedTable, row: StoredRow): Promise<number> {
  const { name, macColumn } = table;
  const mac = keys.mac(macData(table, rowOf(table, row)));
  const text = `update ${name} set ${macColumn} = $1 where id = $2::uuid and ${macColumn} = $3 returning 1`;
  return (await database.execute(text, [mac, row.id, row[macColumn]])).length;
}
