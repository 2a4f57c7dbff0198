export { type AuditConfig, auditSettings, runVerifyCommand, type VerifyCommand } from './verify-command.ts';
