import type { ErrorCode } from '@rubrica/contracts';

/** What the partner may send anew to mend each error; a code that is not here is mended by a retry alone. */
export const correctableFields: Partial<Record<ErrorCode, readonly string[]>> = {
  FINGER_CODE_MISMATCH: ['fingerCode'],
  NAME_MISMATCH: ['applicantName', 'applicantLastName', 'applicantSecondLastName'],
  EVIDENCE_INVALID: ['evidences'],
  EVIDENCE_MISSING: ['evidences'],
};
