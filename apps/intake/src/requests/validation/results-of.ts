import {
  type ValidationCheck,
  type ValidationResult,
  validationChecks,
} from '@rubrica/contracts/rest/transactional';
import type { ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';

/** What of a record says how its checks came out. */
export interface CheckedRecord {
  readonly validationStatus: ValidationStatus;
  readonly errorCode: ErrorCode | null;
  /** Where the code is one of several checks. */
  readonly failedCheck: ValidationCheck | null;
  /** A company was given, so that it is checked. */
  readonly hasCompany: boolean;
}

/** Whose failure a code tells of. A code that is not here is of no check: what was found then is not known. */
export const checkOf: { readonly [Code in ErrorCode]?: ValidationCheck } = {
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

/** Said by a person of a request that had passed every check. */
const afterChecks: ReadonlySet<ErrorCode> = new Set([
  'REVIEW_REJECTED',
  'APPLICANT_DISPUTED',
  'APPLICANT_DATA_WRONG',
]);

type Outcome = 'PASSED' | 'PENDING' | { readonly failed: ValidationCheck; readonly code: ErrorCode };

function outcomeOf({ validationStatus, errorCode, failedCheck }: CheckedRecord): Outcome {
  switch (validationStatus) {
    case 'PENDING':
    case 'AUTOMATICALLY_VALIDATING':
      return 'PENDING';
    // Only what passed every check comes before a person.
    case 'MANUALLY_VALIDATING':
    case 'COMPLETED':
      return 'PASSED';
    default: {
      if (errorCode !== null && afterChecks.has(errorCode)) return 'PASSED';
      const failed = failedCheck ?? (errorCode && checkOf[errorCode]);
      return failed && errorCode ? { failed, code: errorCode } : 'PENDING';
    }
  }
}

/** What became of each check, in the order in which they are made. */
export function resultsOf(record: CheckedRecord): ValidationResult[] {
  const checks = validationChecks.filter((check) => check !== 'COMPANY' || record.hasCompany);
  const outcome = outcomeOf(record);
  if (typeof outcome === 'string') return checks.map((check) => ({ check, result: outcome, code: null }));
  const place = validationChecks.indexOf(outcome.failed);
  return checks.map((check) => {
    if (check === outcome.failed) return { check, result: 'FAILED', code: outcome.code };
    const isBefore = validationChecks.indexOf(check) < place;
    return { check, result: isBefore ? 'PASSED' : 'PENDING', code: null };
  });
}
