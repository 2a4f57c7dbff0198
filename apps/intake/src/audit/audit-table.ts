import type { AuditTable } from '@rubrica/database';

/** What an auditor checks; the columns and their order are a part of every hash and never change. */
export const auditTable: AuditTable = {
  service: 'intake',
  name: 'audit',
  id: 'id',
  columns: [
    { name: 'id', kind: 'text' },
    { name: 'at', kind: 'instant' },
    { name: 'actor', kind: 'text' },
    { name: 'action', kind: 'text' },
    { name: 'target', kind: 'text' },
    { name: 'reason', kind: 'text' },
    { name: 'details', kind: 'json' },
  ],
};
