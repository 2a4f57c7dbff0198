import { EvidenceStoreError, type EvidenceStoreErrorCode } from '../evidence-store-error.ts';

/** Error codes of stores, including AWS and Ceph. */
const codes: Readonly<Record<string, EvidenceStoreErrorCode>> = {
  // Only this 404: a proxy before a store answers 404 as well, and the evidence would be taken for lost.
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

export function fromS3Error(error: unknown): EvidenceStoreError {
  if (error instanceof EvidenceStoreError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code = codes[name] ?? (readStatus(error) === 507 ? 'full' : 'unavailable');
  return new EvidenceStoreError(code, `S3: ${name}: ${message}`, error);
}

/** Checks for an existing object: with `If-None-Match` this is the answer to a repetition of a successful request. */
export function alreadyExists(error: unknown): boolean {
  return readStatus(error) === 412;
}

/** Checks if a later attempt may succeed, because the store did not refuse this one. */
export function isWorthRepeating(error: unknown): boolean {
  const status = readStatus(error);
  if (fromS3Error(error).code !== 'unavailable') return false;
  return status === undefined || status >= 500 || status === 408 || status === 409 || status === 429;
}

function readStatus(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}
