import { standardAuditLog } from '@rubrica/audit/log';

export const auditLog = standardAuditLog('notifier');
