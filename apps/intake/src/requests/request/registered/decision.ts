import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { NeededReview } from '../needed-review.ts';

/**
 * Result of the checks of a validation, under the MAC of the data that were checked. A status in the database
 * decides nothing without it.
 */
export interface Decision {
  /**
   * `PASSED`: a certificate may be issued. `REVIEW`, `LIVENESS`: all other checks passed, and this one is
   * left. `PENDING`: nothing was decided, and a validation may begin. It may also begin for data without a
   * decision that have not failed yet.
   */
  readonly outcome: 'PASSED' | 'REVIEW' | 'LIVENESS' | 'PENDING';
  /** Validation attempt to which it belongs. */
  readonly attempt: number;
  /** `RequestHistory.failures` at the decision: a later failure voids it. */
  readonly failures: number;
  /** Checks that passed. */
  readonly checks: readonly DecisionCheck[];
  /** Digest of the evidence that was checked; nothing is decided for other evidence. */
  readonly evidenceSha256: string | null;
  /** Ids of the review approvals. */
  readonly approvals: readonly string[];
  /** Review for which it waits, or that follows the proof of life, if one is needed. */
  readonly review?: NeededReview | null;
  /** Digest of the observations that its reviewer sees; absent in decisions of earlier releases. */
  readonly observationsSha256?: string;
  /** True if the applicant has claimed what was decided. */
  readonly isClaimed?: boolean;
  /** Instant, ISO 8601. */
  readonly at: string;
}

export type DecisionCheck = 'FILES' | 'IDENTITY' | 'COMPANY' | 'LIVENESS' | 'REVIEW';

/** Lists the checks of a validation that passed, including that of a company if there is one. */
export function listChecks(details: Readonly<Record<string, unknown>>): DecisionCheck[] {
  return ['FILES', 'IDENTITY', ...(details.companyRuc === undefined ? [] : (['COMPANY'] as const))];
}

/** Computes the digest of the observations that a reviewer sees. */
export function digestObservations(observations: readonly unknown[]): string {
  return sha256Hex(canonicalValue(JSON.parse(JSON.stringify(observations))));
}
