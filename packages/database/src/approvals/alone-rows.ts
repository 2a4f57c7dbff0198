import type { EntityManager } from '@mikro-orm/postgresql';
import { guardedSqlTable } from '../guarded/guarded-table.ts';
import type { RowGuard } from '../guarded/row-guard.ts';
import { lockName } from '../lock/row-lock.ts';
import { statement } from '../statement/statement.ts';

interface Alone {
  readonly operatorId: string;
  readonly procedure: string;
}

/** The time is the database's, set by a trigger. */
export const aloneChangeTable = guardedSqlTable('alone_change', ['operatorId', 'procedure'], {
  check: 'none',
});

/** Rows of an hour that are read: many more than any procedure allows one administrator. */
const mostRead = 2_000;

const countedWithinHour = statement<Alone, { readonly stored: Readonly<Record<string, unknown>> }>({
  name: 'alone-changes-within-hour',
  sql: `select jsonb_build_object('id', entry_id, 'version', version, 'mac', mac, 'operator_id', operator_id,
      'procedure', procedure) as stored
    from alone_change where operator_id = :operatorId and procedure = :procedure
      and at > clock_timestamp() - interval '1 hour' and at <= clock_timestamp()
    limit ${mostRead + 1}`,
});

const note = statement<Alone & { readonly entryId: string; readonly version: number; readonly mac: string }>({
  name: 'note-alone-change',
  sql: `insert into alone_change (operator_id, procedure, at, entry_id, version, mac)
    values (:operatorId, :procedure, clock_timestamp(), :entryId, :version, :mac)`,
});

export interface AloneDeps {
  /** Guard of the table `alone_change` among others. */
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact' | 'reportFailed'>;
  /** A new UUID. */
  readonly newId: () => string;
}

/**
 * Counts one more thing that an administrator does alone, in the transaction that does it. All copies count in the
 * database and by its clock, one after the other. Rows that the service has not written count for nothing.
 * @returns false, with nothing counted, where the hour holds `most` already, or too many rows to tell
 */
export async function mayDoAlone(
  em: EntityManager,
  { most, operatorId, procedure }: Alone & { readonly most: number },
  { rows, newId }: AloneDeps,
): Promise<boolean> {
  const name = `alone ${procedure} ${operatorId}`;
  await lockName(em, name, { previous: `rubrica ${name}` });
  const counted = await countedWithinHour.run(em, { operatorId, procedure });
  if (counted.length > mostRead) {
    // No administrator has done so much: others than the service have written here.
    rows.reportFailed({ table: aloneChangeTable.name, id: operatorId });
    return false;
  }
  const own = counted.filter(({ stored }) => rows.isIntact(aloneChangeTable.name, stored));
  if (own.length >= most) return false;
  const entryId = newId();
  const row = { id: entryId, operatorId, procedure };
  await note.run(em, { operatorId, procedure, entryId, ...rows.protect(aloneChangeTable.name, row) });
  return true;
}
