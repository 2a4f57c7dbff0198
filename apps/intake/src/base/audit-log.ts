import { standardAuditLog } from '@rubrica/database';

export const auditLog = standardAuditLog('intake');
