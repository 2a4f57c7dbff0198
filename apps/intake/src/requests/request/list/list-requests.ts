import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { CertificateStatus } from '@rubrica/contracts/shared/enumerations';
import { createKeyset, type KeysetPosition } from '@rubrica/database/keyset';
import type { UseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../../deps.ts';
import { findOwnRequests, type OwnRow } from './find-own-requests.ts';

type ListRequests = UseCase<'intake', 'requests.list'>;

const byCreation = createKeyset('createdAt');
const lowestId = '00000000-0000-0000-0000-000000000000';

/** Lists the requests of the calling partner, newest first. @throws AppError FIELD_INVALID for an unknown cursor */
export function createListRequests({
  database,
  clock,
}: Pick<RequestsDeps, 'database' | 'clock'>): ListRequests {
  return async ({ cursor, limit, from, to, ...filters }, { caller: { partnerId } }) => {
    const after = cursor === undefined ? undefined : byCreation.readCursor(cursor);
    const now = clock();
    const { rows, reached } = await findOwnRequests(database, filters, {
      partnerId,
      ...toStartPosition(after, to === undefined ? undefined : new Date(to)),
      since: from === undefined ? '-infinity' : new Date(from),
      limit: limit + 1,
    });
    const dated = rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
    const { items, nextCursor } = byCreation.page(dated, limit, (row) => toItem(row, now), reached);
    return { items, nextCursor };
  };
}

/**
 * Returns the position below the last row of the previous page, which lies before `until`; the first page
 * begins there.
 */
function toStartPosition(after: KeysetPosition<'createdAt'> | undefined, until: Date | undefined) {
  if (after !== undefined && !(until !== undefined && until <= after.createdAt))
    return { belowAt: after.createdAt, belowId: after.id };
  return { belowAt: until ?? ('infinity' as const), belowId: lowestId };
}

function toItem({ id, ...row }: Omit<OwnRow, 'createdAt'> & { readonly createdAt: Date }, now: Date) {
  const notAfter = row.notAfter === null ? null : new Date(row.notAfter);
  return {
    requestId: id,
    referenceTransaction: row.referenceTransaction,
    family: row.family,
    status: row.status,
    validationStatus: row.validationStatus,
    certificateType: row.certificateType,
    applicationType: row.applicationType,
    code: row.code,
    serialNumber: row.serialNumber,
    notAfter: notAfter?.toISOString() ?? null,
    certificateStatus: row.serialNumber === null ? null : certificateStatus({ ...row, notAfter }, now),
    createdDate: row.createdAt.toISOString(),
    updatedDate: new Date(row.updatedAt).toISOString(),
  };
}

type KnownCertificate = Pick<OwnRow, 'certificateStatus' | 'certificateAdvancedDays'> & {
  readonly notAfter: Date | null;
};

/**
 * Determines the certificate status by generation's last statement, with its end by the clock of the request.
 */
function certificateStatus(
  { certificateStatus: known, certificateAdvancedDays, notAfter }: KnownCertificate,
  now: Date,
): CertificateStatus {
  if (known === 'REVOKED') return 'REVOKED';
  const isPast = notAfter !== null && notAfter.getTime() - certificateAdvancedDays * DAY_MS < now.getTime();
  return isPast ? 'EXPIRED' : 'VALID';
}
