import type { Database } from '@rubrica/database/connection';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { renewalColumns } from '../renewals.ts';
import { createNotFoundError, type OwnRequest } from '../request.repository.ts';
import type { StatusRow } from './status-record.ts';

const instants = ['errorAt', 'notBefore', 'notAfter', 'createdAt', 'updatedAt'] as const;
type Instant = (typeof instants)[number];

/** Row of the statement; instants are text. */
type StoredShown = {
  readonly [Name in keyof StatusRow]: Name extends Instant
    ? string | Extract<StatusRow[Name], null>
    : StatusRow[Name];
};

// The query itself names the partner: another partner's record is indistinguishable from a missing one.
const shownSql = `
select id, partner_id as "partnerId", family, reference_transaction as "referenceTransaction", status,
  validation_status as "validationStatus", application_type as "applicationType",
  certificate_type as "certificateType", period, error_code as "errorCode", error_message as "errorMessage", error_text as "errorText",
  error_at as "errorAt", error_fields as "errorFields", observations, retry_count as "retryCount",
  serial_number as "serialNumber", not_before as "notBefore", not_after as "notAfter",
  certificate_status as "certificateStatus", certificate_version as "certificateVersion",
  certificate_advanced_days as "certificateAdvancedDays",
  created_at as "createdAt", updated_at as "updatedAt", version, ${renewalColumns}
from request where partner_id = :partnerId and family = :family`;

type OwnKey = Pick<OwnRequest, 'partnerId' | 'family'>;

const byReference = statement<
  OwnKey & { readonly referenceTransaction: string; readonly requestId: string | null },
  StoredShown
>({
  name: 'status-by-reference',
  groupCommit: true,
  sql: `${shownSql} and reference_transaction = :referenceTransaction and id = coalesce(:requestId, id)`,
});

const byId = statement<OwnKey & { readonly requestId: string }, StoredShown>({
  name: 'status-by-id',
  groupCommit: true,
  sql: `${shownSql} and id = :requestId`,
});

/**
 * Finds the columns of the status by its own statement: no call is as frequent, and the entity has twice the
 * columns.
 * @throws AppError REQUEST_NOT_FOUND, for another partner's record too
 */
export async function findStatusRow(
  target: StatementTarget,
  own: OwnRequest,
  database: Pick<Database, 'fork'>,
): Promise<StatusRow> {
  const { partnerId, family, requestId, referenceTransaction } = own;
  const ownKey = { partnerId, family };
  const [row] =
    referenceTransaction !== undefined
      ? await byReference.run(target, { ...ownKey, referenceTransaction, requestId: requestId ?? null })
      : requestId !== undefined
        ? await byId.run(target, { ...ownKey, requestId })
        : [];
  if (row === undefined) throw await createNotFoundError(database.fork(), own);
  return withInstants(row);
}

function withInstants(row: StoredShown): StatusRow {
  const { errorAt, notBefore, notAfter, createdAt, updatedAt } = row;
  return {
    ...row,
    errorAt: toDate(errorAt),
    notBefore: toDate(notBefore),
    notAfter: toDate(notAfter),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
