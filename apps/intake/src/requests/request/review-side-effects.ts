import type { NeededReview } from './needed-review.ts';
import type { SideEffects } from './write-transition.ts';

/** Beside `askForReview`: since when it waits and under which rule. Who had it before a correction still has it. */
export function reviewSideEffects({ policy, reason }: NeededReview, now: Date): SideEffects {
  return {
    columns: { review_policy: policy, review_reason: reason, review_since: now },
  };
}
