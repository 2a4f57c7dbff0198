import type { Status } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database';
import type { RequestsDeps } from '../../deps.ts';
import { endedWithoutSql } from '../../request/registered/request-history.ts';
import type { Request } from '../../request/request.entity.ts';
import { isTerminal } from '../../request/state-machine.ts';
import { noteCertificate } from '../../request/status/certificate-state.ts';
import { type FindCertificateDeps, findCertificate } from '../../request/status/find-certificate.ts';

type OpenRenewalDeps = Pick<RequestsDeps, 'database' | 'rows'> & FindCertificateDeps;

/** Renewal of a certificate, with the facts in its timeline. */
interface StoredRenewal {
  readonly id: string;
  readonly referenceTransaction: string;
  readonly status: Status;
  readonly certificateVersion: number;
  readonly hasPassed: boolean;
  readonly hasEnded: boolean;
  readonly wasIssued: boolean;
}

const find = statement<{ readonly formerId: string }, StoredRenewal>({
  name: 'renewals-of-certificate',
  sql: `
select id, reference_transaction as "referenceTransaction", request.status, certificate_version as "certificateVersion",
  "hasPassed", "hasEnded", "wasIssued"
from request cross join lateral (
  select coalesce(bool_or(validation_status = 'COMPLETED'), false) as "hasPassed",
    coalesce(bool_or(${endedWithoutSql}), false) as "hasEnded",
    coalesce(bool_or(status = 'GENERATED'), false) as "wasIssued"
  from timeline where timeline.request_id = request.id
) as steps
where renewal_of = :formerId order by id desc`,
});

export interface OpenRenewal {
  /** Reference of the renewal that is open or issued; null if there is none. */
  readonly renewedBy: string | null;
  /** Number of the next renewal. */
  readonly nextNumber: number;
}

/**
 * Finds the renewal of a certificate that keeps another one from being registered. The timeline, which cannot
 * be shortened, and generation's register decide. A row that contradicts them raises the alarm and counts as
 * a renewal.
 * @throws AppError SERVICE_UNAVAILABLE if generation does not answer
 */
export async function findOpenRenewal(
  deps: OpenRenewalDeps,
  former: Pick<Request, 'id' | 'partnerId'>,
): Promise<OpenRenewal> {
  const renewals = await find.run(deps.database, { formerId: former.id });
  const nextNumber = renewals.length + 1;
  for (const renewal of renewals)
    if (await isOpenOrIssued(deps, renewal, former.partnerId))
      return { renewedBy: renewal.referenceTransaction, nextNumber };
  return { renewedBy: null, nextNumber };
}

/**
 * Returns whether the renewal is open or issued. Its partner is taken from the former request: the row of the
 * renewal could name another.
 */
async function isOpenOrIssued(
  deps: OpenRenewalDeps,
  renewal: StoredRenewal,
  partnerId: string,
): Promise<boolean> {
  const { id, status, hasEnded, wasIssued, hasPassed } = renewal;
  const isIssued = status === 'GENERATED';
  const isOpen = !isTerminal(status);
  if (wasIssued !== isIssued || hasEnded === (isOpen || isIssued)) return reportContradiction(deps, id);
  if (isOpen) return true;
  // Nothing was ordered before its validation had passed.
  if (!isIssued && !hasPassed) return false;
  const certificate = await findCertificate(deps, { id, partnerId });
  if (certificate?.status === 'REVOKED') {
    await noteCertificate(deps.database, renewal, certificate);
    return false;
  }
  if (isIssued || certificate === null) return isIssued;
  return reportContradiction(deps, id);
}

function reportContradiction({ rows }: Pick<OpenRenewalDeps, 'rows'>, id: string): true {
  rows.reportFailed({ table: 'request', id });
  return true;
}
