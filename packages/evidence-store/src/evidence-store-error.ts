/**
 * - `missing`: the object, or a part of it, is not there.
 * - `corrupt`: what is there is not what was stored.
 * - `full`: the store takes nothing more; what is there can be read.
 * - `forbidden`: the store knows us, and we may not.
 * - `unavailable`: anything else, mostly that it does not answer; later it may.
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
