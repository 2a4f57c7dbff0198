/**
 * - `missing`: the object, or a part of it, does not exist.
 * - `corrupt`: the stored bytes differ from those that were written.
 * - `full`: the store accepts no more bytes; existing objects can be read.
 * - `forbidden`: the store recognizes the service and denies the access.
 * - `unavailable`: any other failure, mostly a missing answer; a later attempt may succeed.
 */
export type EvidenceStoreErrorCode = 'missing' | 'corrupt' | 'full' | 'forbidden' | 'unavailable';

export class EvidenceStoreError extends Error {
  override readonly name = 'EvidenceStoreError';
  readonly code: EvidenceStoreErrorCode;

  constructor(code: EvidenceStoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
