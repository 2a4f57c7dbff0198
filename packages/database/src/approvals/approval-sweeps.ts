import type { SweeperTask } from '../sweeper/sweeper.ts';
import { type ApprovalLogForm, approvalLogSql } from './approval-log.ts';

const batchRows = 500;

/**
 * Ends what nobody has decided in time, and says so in the audit log; nothing else is left of it. And forgets what
 * administrators did alone more than an hour ago.
 */
export function approvalSweeps(
  service: string,
  { form, now }: { readonly form: ApprovalLogForm; now(): Date },
): readonly SweeperTask[] {
  const entries = `select 'service:${service}', 'approvals.expire', 'approval:' || id, null::text,
    jsonb_build_object('procedure', procedure, 'digest', digest, 'proposedBy', 'operator:' || proposer_email) from ended`;
  return [
    {
      name: 'expire approvals',
      text: `
with ended as (
  delete from approval where id in (
    select id from approval where expires_at <= $1::timestamptz order by expires_at limit ${batchRows} for update skip locked
  ) returning id, procedure, digest, proposer_email
)
${approvalLogSql[form](entries)} returning 1`,
      get params() {
        return [now()];
      },
      batchRows,
    },
    {
      name: 'forget what one did alone',
      text: `delete from alone_change where id in (
        select id from alone_change where at < clock_timestamp() - interval '2 hours' limit ${batchRows}
      ) returning 1`,
      batchRows,
    },
  ];
}
