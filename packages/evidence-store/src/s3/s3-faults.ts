import { EvidenceStoreError, type EvidenceStoreErrorCode } from '../evidence-store-error.ts';

/** What stores call it, AWS and Ceph among them. */
const codes: Readonly<Record<string, EvidenceStoreErrorCode>> = {
  // Not any 404: what stands before a store says that too, and the evidence would be taken for lost.
  NoSuchKey: 'missing',
  QuotaExceeded: 'full',
  InsufficientStorage: 'full',
  XMinioStorageFull: 'full',
  AccessDenied: 'forbidden',
  Forbidden: 'forbidden',
  InvalidAccessKeyId: 'forbidden',
  SignatureDoesNotMatch: 'forbidden',
  ExpiredToken: 'forbidden',
  InvalidToken: 'forbidden',
  CredentialsProviderError: 'forbidden',
  RequestTimeTooSkewed: 'forbidden',
};

export function ofS3(error: unknown): EvidenceStoreError {
  if (error instanceof EvidenceStoreError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code = codes[name] ?? (statusOf(error) === 507 ? 'full' : 'unavailable');
  return new EvidenceStoreError(code, `S3: ${name}: ${message}`, error);
}

/** It was there already: with `If-None-Match` the answer to a repeat of what had come through. */
export function isThereAlready(error: unknown): boolean {
  return statusOf(error) === 412;
}

/** What later may go well, because the store did not say no to it. */
export function isWorthRepeating(error: unknown): boolean {
  const status = statusOf(error);
  if (ofS3(error).code !== 'unavailable') return false;
  return status === undefined || status >= 500 || status === 408 || status === 409 || status === 429;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}
