import { guardedSqlTable } from '@rubrica/database';

/** Links to evidence, named by the hash of their token: what they open, for whom and how long. */
export const evidenceLinkTable = guardedSqlTable(
  'evidence_link',
  ['requestId', 'evidenceId', 'operatorId', 'sessionId', 'expiresAt'],
  { check: 'none' },
);
