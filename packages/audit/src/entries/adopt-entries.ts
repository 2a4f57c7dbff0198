import { quoteIdentifier, type SqlRunner } from '@rubrica/database/connection';
import type { AuditTable } from '../log/audit-table.ts';

/**
 * Accepts entries without a MAC, as the owner of the schema: those stored now, and those that copies of the previous
 * release write within the given hours.
 * @param options.hours 0: only entries written until now
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
