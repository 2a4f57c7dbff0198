import { quoteIdentifier } from '@rubrica/database/connection';
import type { AuditTable } from '../log/audit-table.ts';
import { guardedEntryColumns } from './entry-guard.ts';

/** Builds the SQL condition that an entry of `alias` needs no MAC. */
export function unguardedSql(table: Pick<AuditTable, 'id'>, alias: string): string {
  return `(${alias}.by_owner or exists (select from audit_upgrade
    where ${alias}.${quoteIdentifier(table.id)} <= last_id or (${alias}.at >= began_at and ${alias}.at < ends_at)))`;
}

/** Builds SQL for a JSON object of an entry of `alias`, the input of `EntryGuard.counts`. */
export function storedEntrySql(table: Pick<AuditTable, 'id' | 'columns'>, alias: string): string {
  const columns = [...guardedEntryColumns(table).map(({ name }) => name), 'entry_id', 'mac', 'at'];
  const members = columns.map((name) => `'${name}', ${alias}.${quoteIdentifier(name)}`);
  return `jsonb_build_object(${members.join(', ')}, 'unguarded', ${unguardedSql(table, alias)})`;
}
