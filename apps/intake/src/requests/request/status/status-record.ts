import type { StatusRecord } from '@rubrica/contracts/shared/status';
import { omitAbsentRenewals, type ShownRenewals } from '../renewals.ts';
import type { Request } from '../request.entity.ts';
import { maxRequestRetries } from '../state-machine.ts';
import { findStoredText } from '../stored-text.ts';
import type { ShownCertificate } from './certificate-state.ts';
import { listCorrectableFields } from './correctable-fields.ts';

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

/** Columns of a request that the record shows, and those needed to ask for its certificate. */
export type StatusRow = Pick<
  Request,
  | 'id'
  | 'partnerId'
  | 'family'
  | 'referenceTransaction'
  | 'status'
  | 'validationStatus'
  | 'applicationType'
  | 'certificateType'
  | 'period'
  | 'errorCode'
  | 'errorMessage'
  | 'errorText'
  | 'errorAt'
  | 'errorFields'
  | 'observations'
  | 'retryCount'
  | 'serialNumber'
  | 'notBefore'
  | 'notAfter'
  | 'certificateStatus'
  | 'certificateVersion'
  | 'certificateAdvancedDays'
  | 'createdAt'
  | 'updatedAt'
  | 'version'
> &
  ShownRenewals;

/** Converts a request to the record of the contracts. */
export function toStatusRecord(request: StatusRow, certificate: ShownCertificate): StatusRecord {
  return {
    requestId: request.id,
    referenceTransaction: request.referenceTransaction,
    status: request.status,
    validationStatus: request.validationStatus,
    applicationType: request.applicationType,
    certificateType: request.certificateType,
    period: request.period,
    observation:
      request.errorCode === null
        ? null
        : {
            type: 'ALERT',
            code: request.errorCode,
            message: request.errorMessage ?? '',
            text: findStoredText(request.errorMessage, request.errorText),
            createdDate: (request.errorAt ?? request.updatedAt).toISOString(),
          },
    observations: [...request.observations],
    correctableFields: [...listCorrectableFields(request)],
    retryCount: request.retryCount,
    retriesRemaining: maxRequestRetries - request.retryCount,
    serialNumber: certificate.serialNumber,
    notBefore: iso(certificate.notBefore),
    notAfter: iso(certificate.notAfter),
    certificateStatus: certificate.certificateStatus,
    ...omitAbsentRenewals(request),
    createdDate: request.createdAt.toISOString(),
    updatedDate: request.updatedAt.toISOString(),
    version: request.version,
  };
}
