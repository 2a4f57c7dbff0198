import { deleteExpired } from '../../base/sweeper-task.ts';

/** Deletes expired links, which open nothing any more; the audit log records that they existed. */
export const forgetEvidenceLinks = deleteExpired({
  name: 'forget-evidence-links',
  table: 'evidence_link',
  key: 'token_sha256',
  at: 'expires_at',
});
