export { type AuditDeps, createAuditUseCases } from './audit-use-cases.ts';
export { readingEntry } from './reading-entry.ts';
export { verifyAuditProgram } from './verify-command.ts';
