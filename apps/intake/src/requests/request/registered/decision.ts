import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { NeededReview } from '../needed-review.ts';

/**
 * Result of the checks of a validation, under the MAC of the data that were checked. A status in the database decides
 * nothing without it.
 */
export interface Decision {
  /**
   * `PASSED`: a certificate may be issued. `REVIEW`, `LIVENESS`: all other checks passed, and this one is left. `PENDING`: nothing
   * was decided, and a validation may begin; so it may for data without a decision that have not failed yet.
   */
  readonly outcome: 'PASSED' | 'REVIEW' | 'LIVENESS' | 'PENDING';
  /** Validation attempt that it belongs to. */
  readonly attempt: number;
  /** `RequestHistory.failures` as it was decided: a later one makes it void. */
  readonly failures: number;
  /** Checks that passed. */
  readonly checks: readonly DecisionCheck[];
  /** Digest of the evidence that was checked; of other evidence nothing is decided. */
  readonly evidenceSha256: string | null;
  /** Ids of the review approvals. */
  readonly approvals: readonly string[];
  /** The review that it waits for, or that comes after the proof of life, where one is needed. */
  readonly review?: NeededReview | null;
  /** Digest of the observations that its reviewer is shown; absent in decisions of earlier releases. */
  readonly observationsSha256?: string;
  /** The applicant has claimed what was decided. */
  readonly isClaimed?: boolean;
  /** Instant, ISO 8601. */
  readonly at: string;
}

export type DecisionCheck = 'FILES' | 'IDENTITY' | 'COMPANY' | 'LIVENESS' | 'REVIEW';

/** The checks of a validation that passed: with a company that of the company too. */
export function registryChecks(details: Readonly<Record<string, unknown>>): DecisionCheck[] {
  return ['FILES', 'IDENTITY', ...(details.companyRuc === undefined ? [] : (['COMPANY'] as const))];
}

/** Digest of the observations that a reviewer is shown. */
export function digestObservations(observations: readonly unknown[]): string {
  return sha256Hex(canonicalValue(JSON.parse(JSON.stringify(observations))));
}
