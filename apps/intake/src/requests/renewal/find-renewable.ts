import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import { formatLocalDate } from '@rubrica/process/time';
import { requestNotFound } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';
import { endedWithoutSql } from '../request/registered/request-history.ts';
import { verifyData } from '../request/registered/verify-request.ts';
import { renewalDays } from '../request/renewals.ts';
import type { Request } from '../request/request.entity.ts';
import { findOwnBySerialOrReference, type OwnCertificate } from '../request/request.repository.ts';
import { isTerminal } from '../request/state-machine.ts';
import { fetchCertificate, noteCertificate } from '../request/status/certificate-state.ts';
import { type FindCertificateDeps, findCertificate } from '../request/status/find-certificate.ts';

type FindRenewableDeps = Pick<
  RequestsDeps,
  'database' | 'peers' | 'logger' | 'clock' | 'timeZone' | 'rows' | 'sandbox'
>;

/** Request whose certificate may be renewed now. */
export type FormerRequest = Request & { readonly serialNumber: string };

/** Certificate that may be renewed now. */
export interface RenewableCertificate {
  readonly former: FormerRequest;
  /** Number of its next renewal. */
  readonly renewalNumber: number;
}

/**
 * Finds the partner's request of the named certificate, if it may be renewed.
 * @throws AppError REQUEST_NOT_FOUND or CERTIFICATE_NOT_FOUND (another partner's too),
 *   REQUEST_STATE_NOT_ALLOWED, RENEWAL_NOT_OPEN, SERVICE_UNAVAILABLE if it is unknown whether the certificate
 *   was revoked
 */
export async function findRenewable(
  deps: FindRenewableDeps,
  own: OwnCertificate,
): Promise<RenewableCertificate> {
  const request = await findOwnBySerialOrReference(deps.database.fork(), own);
  if (!request)
    throw own.serialNumber === undefined
      ? requestNotFound()
      : new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  return requireRenewable(deps, request);
}

/**
 * Checks that the certificate of a request may be renewed now. Its serial number and its dates are under no
 * MAC: generation's statement on the certificate of that request decides.
 * @throws AppError as `findRenewable`
 */
export async function requireRenewable(
  deps: FindRenewableDeps,
  request: Request,
): Promise<RenewableCertificate> {
  if (!isIssued(request)) throw notRenewable(createText('request.nothingToRenew'));
  await verifyData(deps.database, deps.rows, request);
  const { serialNumber, certificateStatus, notAfter } = await fetchCertificate(request, deps);
  if (serialNumber !== request.serialNumber) {
    deps.rows.reportFailed({ table: 'request', id: request.id });
    throw notAuthentic();
  }
  const { renewedBy, nextNumber } = await findOpenRenewal(deps, request);
  const { clock, timeZone, sandbox } = deps;
  const certificateAdvancedDays = sandbox ? request.certificateAdvancedDays : 0;
  const refusal = judgeRenewal(
    { ...request, certificateStatus, notAfter, certificateAdvancedDays, renewedBy },
    { now: clock(), timeZone },
  );
  if (refusal) throw refusal;
  return { former: request, renewalNumber: nextNumber };
}

function isIssued(request: Request): request is FormerRequest {
  return request.status === 'GENERATED' && request.serialNumber !== null;
}

export interface Renewable
  extends Pick<
    Request,
    'family' | 'identificationNumber' | 'notAfter' | 'certificateStatus' | 'certificateAdvancedDays'
  > {
  /** Reference of its renewal that is open or issued. */
  readonly renewedBy: string | null;
}

interface JudgeOptions {
  readonly now: Date;
  readonly timeZone: string;
}

export function notRenewable(text: ErrorText): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}

/**
 * Returns why an issued certificate may not be renewed at `now`; undefined if it may. Days are those of its
 * own clock.
 */
export function judgeRenewal(former: Renewable, { now, timeZone }: JudgeOptions): AppError | undefined {
  const { family, identificationNumber, certificateStatus, renewedBy, notAfter } = former;
  if (family === 'API') return notRenewable(createText('request.apiFlowNotRenewed'));
  if (certificateStatus === 'REVOKED') return notRenewable(createText('request.revokedNotRenewed'));
  // An erasure removes the number.
  if (identificationNumber === '') return notRenewable(createText('request.erased'));
  if (renewedBy !== null) return notRenewable(createText('request.renewedAs', { given: renewedBy }));
  if (notAfter === null) return notRenewable(createText('request.nothingToRenew'));
  const shownNow = now.getTime() + former.certificateAdvancedDays * DAY_MS;
  const opens = new Date(notAfter.getTime() - renewalDays * DAY_MS);
  const closes = new Date(notAfter.getTime() + renewalDays * DAY_MS);
  if (shownNow < opens.getTime())
    return notOpen(createText('request.renewalOpens', { date: formatLocalDate(opens, timeZone) }));
  if (shownNow > closes.getTime())
    return notOpen(createText('request.renewalClosed', { date: formatLocalDate(closes, timeZone) }));
  return undefined;
}

function notOpen(text: ErrorText): AppError {
  return new AppError({ code: 'RENEWAL_NOT_OPEN', text });
}

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
async function findOpenRenewal(
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
