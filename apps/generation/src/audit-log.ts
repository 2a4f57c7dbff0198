import { type AuditLog, chainStartAction } from '@rubrica/database';

/** Decisions on certificates, which many rows are about, so request and serial number have columns of their own. */
export const auditLog: AuditLog<'generation'> = {
  table: {
    service: 'generation',
    name: 'audit_entry',
    id: 'sequence',
    isTimedByDatabase: true,
    // The number of a change of status, which its statement finds.
    filledMembers: ['change'],
    // Their order is a part of every hash and never changes.
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
