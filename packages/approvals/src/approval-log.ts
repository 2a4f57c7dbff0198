import { type AuditEntry, recordAudits } from '@rubrica/audit/log';
import { type SqlTarget, toSqlRunner } from '@rubrica/database/connection';
import { findEntryGuard } from '@rubrica/database/entries';

/** Audit table of the service: the one of `auditTableSql`, or the one of certificates, which has its own columns. */
export type ApprovalLogForm = 'standard' | 'certificates';

/** Records decisions on waiting changes in the audit log, in the transaction of the decision. */
export async function recordApprovals(
  target: SqlTarget,
  form: ApprovalLogForm,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (form === 'standard') return recordAudits(target, entries);
  const guard = findEntryGuard(target);
  const rows = entries.map(({ actor, action, target: subject, reason, details }) => {
    const detail = { ...details, target: subject, ...(reason !== undefined && { reason }) };
    const { entryId: entry_id, entryMac: mac } = guard.protect({ actor, action, detail });
    return { actor, action, detail, entry_id, mac };
  });
  await toSqlRunner(target).execute(insertOnCertificates, [JSON.stringify(rows)]);
}

const insertOnCertificates = `insert into audit_entry (actor, action, detail, entry_id, mac)
  select * from jsonb_to_recordset($1::jsonb) as entry (actor text, action text, detail jsonb, entry_id uuid, mac text)`;
