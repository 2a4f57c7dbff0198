import type { Family, ReviewPolicy } from '@rubrica/contracts/shared/enumerations';
import { familyPlans } from './family-plans.ts';

export type WaitingPolicy = Exclude<ReviewPolicy, 'automatic'>;

/** Policy and reason of a review. */
export interface NeededReview {
  readonly policy: WaitingPolicy;
  readonly reason: 'POLICY' | 'REGISTRY';
}

/** Determines whether a request that passed all automatic checks needs a review; null if it needs none. */
export function determineReview(request: {
  readonly family: Family;
  readonly reviewPolicy: ReviewPolicy;
  readonly registryAsks: boolean;
}): NeededReview | null {
  const { family, reviewPolicy, registryAsks } = request;
  // The registry's doubt needs one reviewer; a partner that agreed to four eyes has them in every review.
  if (registryAsks)
    return { policy: reviewPolicy === 'four-eyes' ? reviewPolicy : 'manual', reason: 'REGISTRY' };
  if (reviewPolicy === 'automatic' || !familyPlans[family].isReviewed) return null;
  return { policy: reviewPolicy, reason: 'POLICY' };
}
