import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process';
import { requestNotFound } from '../../../base/errors.ts';
import type { RequestsDeps } from '../../deps.ts';
import { notAuthentic } from '../../request/registered/registered-data.ts';
import { verifyData } from '../../request/registered/verify-request.ts';
import type { Request } from '../../request/request.entity.ts';
import { findOwnBySerialOrReference, type OwnCertificate } from '../../request/request.repository.ts';
import { fetchCertificate } from '../../request/status/certificate-state.ts';
import { findOpenRenewal } from './find-open-renewal.ts';
import { judgeRenewal, notRenewable } from './judge-renewal.ts';

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
