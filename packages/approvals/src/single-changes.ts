import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { lockName } from '@rubrica/database/lock';
import { statement } from '@rubrica/database/statement';
import type { Transaction } from './administrator-change.ts';

interface SingleChange {
  readonly operatorId: string;
  readonly procedure: string;
}

/** Table of changes that one administrator made alone. A trigger sets the time by the database's clock. */
export const singleChangeTable = guardedSqlTable('alone_change', ['operatorId', 'procedure'], {
  check: 'none',
});

/** Rows of an hour that are read: far more than any procedure allows one administrator. */
const maxRowsRead = 2_000;

const countedWithinHour = statement<SingleChange, { readonly stored: Readonly<Record<string, unknown>> }>({
  name: 'alone-changes-within-hour',
  sql: `select jsonb_build_object('id', entry_id, 'version', version, 'mac', mac, 'operator_id', operator_id,
      'procedure', procedure) as stored
    from alone_change where operator_id = :operatorId and procedure = :procedure
      and at > clock_timestamp() - interval '1 hour' and at <= clock_timestamp()
    limit ${maxRowsRead + 1}`,
});

const note = statement<
  SingleChange & { readonly entryId: string; readonly version: number; readonly mac: string }
>({
  name: 'note-alone-change',
  sql: `insert into alone_change (operator_id, procedure, at, entry_id, version, mac)
    values (:operatorId, :procedure, clock_timestamp(), :entryId, :version, :mac)`,
});

export interface SingleChangeDeps {
  /** Guard of the tables, among them `alone_change`. */
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact' | 'reportFailed'>;
  /** Creates a UUID. */
  readonly newId: () => string;
}

/**
 * Counts one more change that an administrator makes alone, in the transaction of the change. All copies count in the
 * database and by its clock, one after the other. Rows that the service has not written do not count.
 * @returns false, with nothing counted, if the hour already has `most` changes, or too many rows to tell
 */
export async function reserveSingleChange(
  em: Transaction,
  { most, operatorId, procedure }: SingleChange & { readonly most: number },
  { rows, newId }: SingleChangeDeps,
): Promise<boolean> {
  const name = `alone ${procedure} ${operatorId}`;
  await lockName(em, name, { previous: `rubrica ${name}` });
  const counted = await countedWithinHour.run(em, { operatorId, procedure });
  if (counted.length > maxRowsRead) {
    // No administrator makes so many changes: someone other than the service has written here.
    rows.reportFailed({ table: singleChangeTable.name, id: operatorId });
    return false;
  }
  const own = counted.filter(({ stored }) => rows.isIntact(singleChangeTable.name, stored));
  if (own.length >= most) return false;
  const entryId = newId();
  const row = { id: entryId, operatorId, procedure };
  await note.run(em, { operatorId, procedure, entryId, ...rows.protect(singleChangeTable.name, row) });
  return true;
}
