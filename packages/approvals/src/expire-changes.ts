import type { SweeperTask } from '@rubrica/database/sweeper';
import { type ApprovalLogForm, recordApprovals } from './approval-log.ts';

const batchRows = 500;

interface EndedApproval {
  readonly id: string;
  readonly procedure: string;
  readonly digest: string;
  readonly proposerEmail: string;
}

/**
 * Creates the tasks that end changes without a decision in time, recording this in the audit log, and that delete
 * counts of changes made alone after an hour.
 */
export function expireChanges(
  service: string,
  { form, now }: { readonly form: ApprovalLogForm; now(): Date },
): readonly SweeperTask[] {
  const toEntry = ({ id, procedure, digest, proposerEmail }: EndedApproval) => ({
    actor: `service:${service}`,
    action: 'approvals.expire',
    target: `approval:${id}`,
    details: { procedure, digest, proposedBy: `operator:${proposerEmail}` },
  });
  return [
    {
      name: 'expire approvals',
      text: `
delete from approval where id in (
  select id from approval where expires_at <= $1::timestamptz order by expires_at limit ${batchRows} for update skip locked
) returning id, procedure, digest, proposer_email as "proposerEmail"`,
      get params() {
        return [now()];
      },
      batchRows,
      followUp: (em, rows) =>
        recordApprovals(em, form, (rows as unknown as readonly EndedApproval[]).map(toEntry)),
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
