import { type AuditEntry, protectEntry } from '@rubrica/audit/log';
import type { EntryGuard } from '@rubrica/database/entries';
import type { DependentInsert } from './one-statement.ts';

/** Creates an audit entry as a part of the statement of a change. */
export function auditInsert(entries: EntryGuard, entry: AuditEntry): DependentInsert {
  const { details, ...columns } = protectEntry(entries, entry);
  return { table: 'audit', rows: [{ ...columns, details: JSON.stringify(details) }] };
}
