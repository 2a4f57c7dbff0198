import type { SweeperTask } from '@rubrica/database';
import type { Clock } from '@rubrica/process';

const batchRows = 500;

/** What is over opens nothing any more; that it was there is in the audit log. */
export function forgetEvidenceLinks(clock: Clock): SweeperTask {
  return {
    name: 'forget-evidence-links',
    batchRows,
    get params() {
      return [clock()];
    },
    text: `delete from evidence_link where token_sha256 in (
    select token_sha256 from evidence_link where expires_at <= $1 order by expires_at limit ${batchRows} for update skip locked
  ) returning 1`,
  };
}
