export { createAuditUseCases } from './audit-use-cases.ts';
