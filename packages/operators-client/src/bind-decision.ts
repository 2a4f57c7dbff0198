import type { OperatorOutput } from './router.ts';

type ShownReview = Pick<OperatorOutput<'reviews.get'>, 'requestId' | 'shownSha256'>;

/**
 * Identifies a review in the state that was shown: `reviews.approve.mutate({ ...bindDecision(shown), comment })`. A
 * decision on another state is refused with REVIEW_CHANGED.
 * @param shown the very answer of `reviews.get` that the page renders
 */
export function bindDecision({ requestId, shownSha256 }: ShownReview): {
  readonly requestId: string;
  readonly shownSha256?: string;
} {
  return shownSha256 === null ? { requestId } : { requestId, shownSha256 };
}
