import { quoteIdentifier } from '../connection/identifiers.ts';
import type { SqlRunner } from '../connection/sql-runner.ts';
import type { AuditTable } from './audit-table.ts';

/**
 * Has entries without a MAC count, as the owner of the schema: those that are there now, and those that copies of the release
 * before write within so many hours.
 * @param options.hours 0: those that were written until now and no others
 */
export async function adoptAuditEntries(
  owner: SqlRunner,
  { table, hours }: { readonly table: Pick<AuditTable, 'name' | 'id'>; readonly hours: number },
): Promise<void> {
  if (hours === 0) {
    await owner.execute('update audit_upgrade set ends_at = least(ends_at, now())');
    return;
  }
  await owner.execute(
    `insert into audit_upgrade (last_id, ends_at)
     select coalesce(max(${quoteIdentifier(table.id)}), 0), now() + make_interval(hours => $1::integer)
     from ${quoteIdentifier(table.name)}`,
    [hours],
  );
}
