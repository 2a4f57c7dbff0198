import type { AuditTable } from '@rubrica/database';

/** What an auditor checks; the columns and their order are a part of every hash and never change. */
export const auditTable: AuditTable = {
  service: 'generation',
  name: 'audit_entry',
  id: 'sequence',
  columns: [
    { name: 'sequence', kind: 'text' },
    { name: 'at', kind: 'instant' },
    { name: 'action', kind: 'text' },
    { name: 'actor', kind: 'text' },
    { name: 'request_id', kind: 'text' },
    { name: 'attempt', kind: 'text' },
    { name: 'serial', kind: 'text' },
    { name: 'detail', kind: 'json' },
  ],
};
