import type { Decision } from './decision.ts';
import type { RegisteredData } from './registered-data.ts';
import type { RequestHistory } from './request-history.ts';

/** Creates the decision that lets the next validation begin, after this number of failures and no more. */
export function createPendingDecision(
  {
    validationAttempt: attempt,
    evidenceSha256,
  }: Pick<RegisteredData, 'validationAttempt' | 'evidenceSha256'>,
  { failures }: Pick<RequestHistory, 'failures'>,
  at: Date,
): Decision {
  const outcome = 'PENDING';
  return { outcome, attempt, evidenceSha256, failures, checks: [], approvals: [], at: at.toISOString() };
}

/**
 * Returns whether a validation may begin: the partner or the service has requested it since the last failure.
 * A status in the database is no such request. A request that has passed may be validated again: its data are
 * the same.
 */
export function canValidate(
  { decision, validationAttempt }: Pick<RegisteredData, 'decision' | 'validationAttempt'>,
  { failures }: Pick<RequestHistory, 'failures'>,
): boolean {
  if (decision === null) return failures === 0;
  return decision.attempt === validationAttempt && decision.failures === failures;
}
