import type { StatusRecord } from '@rubrica/contracts/shared/status';
import { statement } from '@rubrica/database/statement';

/** SQL that is true for a renewal that replaces another certificate. */
export const supersedesSql = 'renewal_of is not null and supersedes';

/** Days before its end and after it in which a certificate may be renewed. */
export const renewalDays = 60;

/**
 * SQL that is true for a renewal that is open or issued by its row, in the words of the unique index
 * `request_renewal_of`. It is for views; `findOpenRenewal` refuses another renewal.
 */
export const isOpenRenewalSql = `renewal_of is not null and status not in ('CANCELLED', 'REFUSED', 'EXPIRED')
  and certificate_status is distinct from 'REVOKED'`;

/** SQL over `request` that is true while the certificate is in force and no renewal was issued. */
export const isExpiringSql = `(request.status = 'GENERATED' and request.certificate_status is distinct from 'REVOKED'
    and not exists (
      select from (select * from request as later where later.renewal_of = request.id and later.status = 'GENERATED') as later
      where ${isOpenRenewalSql}
    ))`;

/** Renewals between a request and others, as the record shows them. */
export interface ShownRenewals {
  readonly renewalOf: NonNullable<StatusRecord['renewalOf']> | null;
  readonly renewedBy: NonNullable<StatusRecord['renewedBy']> | null;
}

/** SQL columns over `request`. */
export const renewalColumns = `
  case when renewal_of is not null then (
    select json_build_object('referenceTransaction', former.reference_transaction, 'serialNumber', former.serial_number)
    from request as former where former.id = request.renewal_of
  ) end as "renewalOf",
  case when serial_number is not null then (
    select json_build_object('referenceTransaction', reference_transaction, 'serialNumber', serial_number)
    from (select * from request as later where later.renewal_of = request.id) as later where ${isOpenRenewalSql}
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

/** Leaves out absent renewals. */
export function omitAbsentRenewals({
  renewalOf,
  renewedBy,
}: ShownRenewals): Pick<StatusRecord, 'renewalOf' | 'renewedBy'> {
  return { ...(renewalOf && { renewalOf }), ...(renewedBy && { renewedBy }) };
}
