export { type AuditDeps, createAuditUseCases } from './audit-use-cases.ts';
export { verifyAuditProgram } from './verify-command.ts';
