import type { OperationId } from '@rubrica/contracts/rest/operations';

/**
 * Statuses other than 200 that may occur in a run of the collection from top to bottom: some steps of a request are too
 * early or too late. All other operations succeed.
 */
export const otherStatuses: Partial<Record<OperationId, readonly number[]>> = {
  retryLinkedPartner: [409],
  cancelLinkedPartner: [409],
  resendValidationLink: [409],
  correctRegular: [409],
  transactionalCertificate: [404, 409],
  cancelSimplified: [409],
  issueSignature: [409],
  revokeCertificate: [404, 409],
  renewCertificate: [404, 409],
  renewCertificateDryRun: [404, 409],
  // An account may have no events.
  readEvent: [404],
  resendEvent: [404, 409],
};
