export { auditRouter } from './audit-router.ts';
export { verifyAuditProgram } from './verify-command.ts';
