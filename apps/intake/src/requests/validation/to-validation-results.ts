import {
  type ValidationCheck,
  type ValidationResult,
  validationChecks,
} from '@rubrica/contracts/rest/transactional';
import type { ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';

/** Parts of a record that tell how its checks came out. */
export interface CheckedRecord {
  readonly validationStatus: ValidationStatus;
  readonly errorCode: ErrorCode | null;
  /** Check that failed, if the code belongs to several checks. */
  readonly failedCheck: ValidationCheck | null;
  /** True if a company was given, so that it is checked. */
  readonly hasCompany: boolean;
}

/**
 * Check whose failure a code tells of. A code that is absent belongs to no check: what was found then is not
 * known.
 */
export const checkByErrorCode: { readonly [Code in ErrorCode]?: ValidationCheck } = {
  EXTERNAL_SERVICE_UNAVAILABLE: 'IDENTITY',
  IDENTIFICATION_NOT_FOUND: 'IDENTITY',
  APPLICANT_DECEASED: 'VITAL_STATUS',
  APPLICANT_UNDERAGE: 'AGE',
  FINGER_CODE_MISMATCH: 'FINGER_CODE',
  NAME_MISMATCH: 'NAMES',
  RUC_INVALID: 'COMPANY',
  RUC_INACTIVE: 'COMPANY',
  REPRESENTATIVE_NOT_CONFIRMED: 'COMPANY',
};

/** Codes that a person gave a request after it had passed every check. */
const reviewCodes: ReadonlySet<ErrorCode> = new Set([
  'REVIEW_REJECTED',
  'APPLICANT_DISPUTED',
  'APPLICANT_DATA_WRONG',
]);

type ChecksOutcome = 'PASSED' | 'PENDING' | { readonly failed: ValidationCheck; readonly code: ErrorCode };

function determineOutcome({ validationStatus, errorCode, failedCheck }: CheckedRecord): ChecksOutcome {
  switch (validationStatus) {
    case 'PENDING':
    case 'AUTOMATICALLY_VALIDATING':
      return 'PENDING';
    // Only a request that passed every check reaches a person.
    case 'MANUALLY_VALIDATING':
    case 'COMPLETED':
      return 'PASSED';
    default: {
      if (errorCode !== null && reviewCodes.has(errorCode)) return 'PASSED';
      const failed = failedCheck ?? (errorCode && checkByErrorCode[errorCode]);
      return failed && errorCode ? { failed, code: errorCode } : 'PENDING';
    }
  }
}

/** Returns the result of each check, in the order in which they are made. */
export function toValidationResults(record: CheckedRecord): ValidationResult[] {
  const checks = validationChecks.filter((check) => check !== 'COMPANY' || record.hasCompany);
  const outcome = determineOutcome(record);
  if (typeof outcome === 'string') return checks.map((check) => ({ check, result: outcome, code: null }));
  const failedIndex = validationChecks.indexOf(outcome.failed);
  return checks.map((check) => {
    if (check === outcome.failed) return { check, result: 'FAILED', code: outcome.code };
    const isBefore = validationChecks.indexOf(check) < failedIndex;
    return { check, result: isBefore ? 'PASSED' : 'PENDING', code: null };
  });
}
