import { type StatementTarget, statement } from '@rubrica/database/statement';
import type { GuardedStatusRow } from './status-record.ts';

const isAudited = statement<
  { readonly id: string; readonly requestId: string; readonly serial: string },
  { readonly isNamed: boolean | null }
>({
  name: 'is-audited-issuance',
  sql: `
select count(*) = 1 and bool_and(detail ->> 'certificateId' = :id::uuid::text) as "isNamed" from audit_entry
where request_id = :requestId::uuid and serial = :serial and action = 'certificate.issued'`,
});

/**
 * Returns whether the append-only audit log names this row as the certificate issued for its request. The role of the
 * database can add a second entry; then no row is accepted.
 */
export async function isAuditedIssuance(
  target: StatementTarget,
  { id, request_id: requestId, serial }: Pick<GuardedStatusRow, 'id' | 'request_id' | 'serial'>,
): Promise<boolean> {
  const [found] = await isAudited.run(target, { id, requestId, serial });
  return found?.isNamed === true;
}

/** Returns whether the audit log names another row. Entries of earlier releases may name no row and prove nothing. */
export async function isOtherRowAudited(
  target: StatementTarget,
  named: { readonly id: string; readonly requestId: string; readonly serial: string },
): Promise<boolean> {
  const [found] = await isAudited.run(target, named);
  return found?.isNamed === false;
}
