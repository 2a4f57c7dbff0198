export { type AuditDeps, createAuditUseCases } from './audit-use-cases.ts';
export { readingEntry } from './reading-entry.ts';
