export { adoptAuditEntries } from './adopt-entries.ts';
export { createEntryGuard, type EntryKeys } from './entry-guard.ts';
export { storedEntrySql } from './stored-entry-sql.ts';
