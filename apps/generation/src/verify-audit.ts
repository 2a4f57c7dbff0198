import { verifyAuditProgram } from '@rubrica/wiring/audit';
import { auditLog } from './audit-log.ts';
import { schema } from './store/schema.ts';

/** For auditors: checks the chain of this service's audit log. */
process.exitCode = await verifyAuditProgram({ schema, table: auditLog.table });
