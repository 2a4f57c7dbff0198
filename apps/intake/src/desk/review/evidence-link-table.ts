import { guardedSqlTable } from '@rubrica/database/guarded';

/**
 * Links to evidence, identified by the hash of their token, with the guarded columns: file, operator and
 * lifetime.
 */
export const evidenceLinkTable = guardedSqlTable(
  'evidence_link',
  ['requestId', 'evidenceId', 'operatorId', 'sessionId', 'expiresAt'],
  { check: 'none' },
);
