import type { AuditEntry } from '../audit/standard-log.ts';
import { runnerOf, type SqlTarget } from '../connection/sql-runner.ts';

/** Which table the service's audit log is: that of `auditTableSql`, or the one of certificates, which has columns of its own. */
export type ApprovalLogForm = 'standard' | 'certificates';

/** By what rows of `actor, action, target, reason, details` become entries of the log. */
export const approvalLogSql: Readonly<Record<ApprovalLogForm, (entries: string) => string>> = {
  standard: (entries) => `insert into audit (actor, action, target, reason, details) ${entries}`,
  certificates: (entries) => `insert into audit_entry (actor, action, detail)
    select actor, action, jsonb_strip_nulls(details || jsonb_build_object('target', target, 'reason', reason))
    from (${entries}) as entry (actor, action, target, reason, details)`,
};

/** Writes down what became of a change that waited, in the transaction of that. */
export async function recordApproval(
  target: SqlTarget,
  form: ApprovalLogForm,
  { actor, action, target: subject, reason, details }: AuditEntry,
): Promise<void> {
  const entry = 'select $1::text, $2::text, $3::text, $4::text, $5::jsonb';
  await runnerOf(target).execute(approvalLogSql[form](entry), [
    actor,
    action,
    subject,
    reason ?? null,
    JSON.stringify(details ?? {}),
  ]);
}
