export type { EntryColumns, EntryGuard, EntryMac, StoredEntry } from './entry-guard.ts';
export { findEntryGuard } from './entry-guards.ts';
