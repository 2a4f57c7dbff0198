import type { RowGuard } from '@rubrica/database';
import type { Details, Request } from '../request.entity.ts';
import { isAuthentic, type StoredRegistration } from './registered-data.ts';
import type { RequestHistory } from './request-history.ts';

/** A passed validation: what it rests on, under the MAC of the data it was made for. */
export interface Decision {
  /** Validation attempt that passed. */
  readonly attempt: number;
  /** `RequestHistory.unapproved` as it was decided: a later end or failure makes it void. */
  readonly unapproved: number;
  /** Checks that passed. */
  readonly checks: readonly DecisionCheck[];
  /** Ids of the review approvals. */
  readonly approvals: readonly string[];
  /** Instant, ISO 8601. */
  readonly at: string;
}

export type DecisionCheck = 'FILES' | 'IDENTITY' | 'COMPANY' | 'LIVENESS' | 'REVIEW';

/** The check that a request with a company has beside those of the person. */
export function companyCheck(details: Details): DecisionCheck[] {
  return details.companyRuc === undefined ? [] : ['COMPANY'];
}

/** The checks of a request that a reviewer has let pass: it comes to a reviewer after all others. */
export function reviewedChecks({ family, details }: Pick<Request, 'family' | 'details'>): DecisionCheck[] {
  const stepwise: DecisionCheck[] = family === 'API' ? ['LIVENESS'] : [];
  return ['FILES', 'IDENTITY', ...companyCheck(details), ...stepwise, 'REVIEW'];
}

/** The decision that a request rests on now; null, with an alarm, where it has none that holds. */
export function decisionInForce(
  rows: Pick<RowGuard, 'isIntact' | 'reject'>,
  stored: StoredRegistration,
  history: RequestHistory,
): Decision | null {
  if (!isAuthentic(rows, stored, history)) return null;
  const decision = stored.decision as Decision | null;
  const holds =
    decision !== null &&
    decision.attempt === stored.validation_attempt &&
    decision.unapproved === history.unapproved;
  if (!holds) rows.reject('request', String(stored.id));
  return holds ? decision : null;
}
