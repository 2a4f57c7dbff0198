import { type AuditLog, chainStartAction } from '@rubrica/audit/log';

/**
 * Audit log of decisions on certificates. Many rows concern one certificate, so request and serial number have their
 * own columns.
 */
export const auditLog: AuditLog<'generation'> = {
  table: {
    service: 'generation',
    name: 'audit_entry',
    id: 'sequence',
    isTimedByDatabase: true,
    // Number of a status change, set by its statement.
    filledMembers: ['change'],
    // The order of the columns is part of every hash and never changes.
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
    chainStart: {
      action: chainStartAction,
      actor: 'service:generation',
      detail: '{"target": "audit:generation.audit_entry"}',
    },
  },
  expressions: {
    target: `coalesce('certificate:' || serial, 'request:' || request_id, detail ->> 'target')`,
    requestId: 'request_id',
    reason: `detail ->> 'reason'`,
    details: 'detail',
  },
};
