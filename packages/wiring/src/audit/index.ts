export { auditRouter } from './audit-router.ts';
export { type AuditDeps, createAuditUseCases } from './audit-use-cases.ts';
export { verifyAuditProgram } from './verify-command.ts';
