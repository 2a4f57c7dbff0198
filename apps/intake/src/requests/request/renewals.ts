import type { StatusRecord } from '@rubrica/contracts/shared/status';
import { statement } from '@rubrica/database';

/** SQL that is true of a renewal that takes the place of another certificate. */
export const supersedesSql = 'renewal_of is not null and supersedes';

/** A certificate may be renewed for so many days before its end and after it. */
export const renewalDays = 60;

/**
 * SQL: a renewal that is open or issued by its row, as the unique index `request_renewal_of` has it. For what is shown; another
 * renewal is refused by `findStandingRenewal`.
 */
export const isStandingRenewal = `renewal_of is not null and status not in ('CANCELLED', 'REFUSED', 'EXPIRED')
  and certificate_status is distinct from 'REVOKED'`;

/** In force, and no other that takes its place was issued: SQL over `request`. */
export const isRunningOut = `(request.status = 'GENERATED' and request.certificate_status is distinct from 'REVOKED'
    and not exists (
      select from (select * from request as later where later.renewal_of = request.id and later.status = 'GENERATED') as later
      where ${isStandingRenewal}
    ))`;

/** How a request and others renew each other, as the record shows it. */
export interface ShownRenewals {
  readonly renewalOf: NonNullable<StatusRecord['renewalOf']> | null;
  readonly renewedBy: NonNullable<StatusRecord['renewedBy']> | null;
}

/** Of `request`. */
export const renewalColumns = `
  case when renewal_of is not null then (
    select json_build_object('referenceTransaction', former.reference_transaction, 'serialNumber', former.serial_number)
    from request as former where former.id = request.renewal_of
  ) end as "renewalOf",
  case when serial_number is not null then (
    select json_build_object('referenceTransaction', reference_transaction, 'serialNumber', serial_number)
    from (select * from request as later where later.renewal_of = request.id) as later where ${isStandingRenewal}
  ) end as "renewedBy"`;

const find = statement<{ readonly requestId: string }, ShownRenewals>({
  name: 'find-renewals',
  groupCommit: true,
  sql: `select ${renewalColumns} from request where id = :requestId`,
});

export async function findRenewals(
  database: Parameters<typeof find.run>[0],
  requestId: string,
): Promise<ShownRenewals> {
  const [found] = await find.run(database, { requestId });
  return found ?? { renewalOf: null, renewedBy: null };
}

/** What is not there is left out. */
export function presentRenewals({
  renewalOf,
  renewedBy,
}: ShownRenewals): Pick<StatusRecord, 'renewalOf' | 'renewedBy'> {
  return { ...(renewalOf && { renewalOf }), ...(renewedBy && { renewedBy }) };
}
