import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { isWaiting } from './review-row.ts';

/**
 * Returns whether an operator sees the applicant's data and files: reviewers do while the request waits for
 * them, administrators always.
 */
export function canSeeApplicant(
  operatorRole: OperatorRole,
  request: Parameters<typeof isWaiting>[0],
): boolean {
  return operatorRole === 'admin' || (operatorRole === 'reviewer' && isWaiting(request));
}
