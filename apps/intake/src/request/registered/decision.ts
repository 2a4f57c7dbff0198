import type { RowGuard } from '@rubrica/database';
import type { NeededReview } from '../needed-review.ts';
import type { Details } from '../request.entity.ts';
import { isAuthentic, type StoredRegistration } from './registered-data.ts';
import type { RequestHistory } from './request-history.ts';

/**
 * What the checks of a validation came to, under the MAC of the data they were made for. A status in the database decides
 * nothing without it.
 */
export interface Decision {
  /** `PASSED`: a certificate may be issued. `REVIEW`, `LIVENESS`: all other checks passed, and this one is left. */
  readonly outcome: 'PASSED' | 'REVIEW' | 'LIVENESS';
  /** Validation attempt that it belongs to. */
  readonly attempt: number;
  /** `RequestHistory.failures` as it was decided: a later one makes it void. */
  readonly failures: number;
  /** Checks that passed. */
  readonly checks: readonly DecisionCheck[];
  /** Ids of the review approvals. */
  readonly approvals: readonly string[];
  /** The review that comes after the proof of life, where one is needed. */
  readonly review?: NeededReview | null;
  /** Instant, ISO 8601. */
  readonly at: string;
}

export type DecisionCheck = 'FILES' | 'IDENTITY' | 'COMPANY' | 'LIVENESS' | 'REVIEW';

/** The checks of a validation that passed: with a company that of the company too. */
export function registryChecks(details: Details): DecisionCheck[] {
  return ['FILES', 'IDENTITY', ...(details.companyRuc === undefined ? [] : (['COMPANY'] as const))];
}

/** The decision that a request rests on now; null, with an alarm, where it has none of that outcome. */
export function decisionInForce(
  rows: Pick<RowGuard, 'isIntact' | 'reject'>,
  stored: StoredRegistration,
  {
    history,
    outcome = 'PASSED',
  }: { readonly history: RequestHistory; readonly outcome?: Decision['outcome'] },
): Decision | null {
  if (!isAuthentic(rows, stored, history)) return null;
  const decision = stored.decision as Decision | null;
  const holds =
    decision !== null &&
    decision.outcome === outcome &&
    decision.attempt === stored.validation_attempt &&
    decision.failures === history.failures &&
    history.ended === 0;
  if (!holds) rows.reject('request', String(stored.id));
  return holds ? decision : null;
}
