import type { NeededReview } from './needed-review.ts';
import type { SideEffects } from './write-transition.ts';

/**
 * Returns the side effects of `askForReview`: since when the request waits, and under which rule. An
 * assignment from before a correction stays.
 */
export function reviewSideEffects({ policy, reason }: NeededReview, now: Date): SideEffects {
  return {
    columns: { review_policy: policy, review_reason: reason, review_since: now },
  };
}
