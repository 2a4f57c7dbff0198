export { type AuditLog, type AuditTable, chainStartAction } from './audit-table.ts';
export { type ReadingOfApplicants, readingEntry } from './reading-entry.ts';
export {
  type AuditEntry,
  insertEntriesSql,
  type ProtectedEntry,
  protectEntry,
  recordAudit,
  recordAudits,
  standardAuditLog,
} from './standard-log.ts';
