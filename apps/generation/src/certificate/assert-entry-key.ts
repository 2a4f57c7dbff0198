import { storedEntrySql } from '@rubrica/audit/entries';
import type { Database } from '@rubrica/database/connection';
import type { StoredEntry } from '@rubrica/database/entries';
import { statement } from '@rubrica/database/statement';
import { auditLog } from './audit-log.ts';

/** Reads the oldest entries: entries that an attacker adds with the role of the database come later. */
const findOldest = statement<Record<never, never>, { readonly entry: StoredEntry }>({
  name: 'oldest-guarded-entries',
  sql: `
select ${storedEntrySql(auditLog.table, 'audit_entry')} as entry from audit_entry
where mac is not null order by sequence limit 50`,
});

/**
 * Refuses to publish certificate status without the key of the audit log's MACs: revocations would not count.
 * @throws Error
 */
export async function assertEntryKey(database: Pick<Database, 'statement' | 'entries'>): Promise<void> {
  const oldest = await findOldest.run(database, {});
  if (oldest.length === 0 || oldest.some(({ entry }) => database.entries.counts(entry))) return;
  throw new Error(
    'the key file has no key that made the MACs of the audit log: bring it back, or see "A key is lost" in deploy/keys.md',
  );
}
