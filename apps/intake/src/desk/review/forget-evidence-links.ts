import { forgetExpired } from '../../base/sweeper-task.ts';

/** What is over opens nothing any more; that it was there is in the audit log. */
export const forgetEvidenceLinks = forgetExpired({
  name: 'forget-evidence-links',
  table: 'evidence_link',
  key: 'token_sha256',
  at: 'expires_at',
});
