import { type SweeperTask, statement } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { sweeperTask } from '../sweeper-task.ts';

const batchRows = 500;

const forget = statement<{ readonly now: Date }>({
  name: 'forget-evidence-links',
  sql: `delete from evidence_link where token_sha256 in (
    select token_sha256 from evidence_link where expires_at <= :now order by expires_at limit ${batchRows}
    for update skip locked
  ) returning 1`,
});

/** What is over opens nothing any more; that it was there is in the audit log. */
export function forgetEvidenceLinks(clock: Clock): SweeperTask {
  return sweeperTask(forget, { batchRows, params: () => ({ now: clock() }) });
}
