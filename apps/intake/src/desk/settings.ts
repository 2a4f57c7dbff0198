import { setting } from '@rubrica/process/config';
import { z } from 'zod';

export const reviewRules = z.object({
  reviewDigests: setting(z.enum(['required', 'accepted']).default('accepted'), {
    env: 'REVIEW_DIGESTS',
    about:
      '`required`: a review is decided with the digest that `reviews.get` gave, so that it rests on what was shown. `accepted`: also without one, by dashboards written for the release before',
  }),
});
export type ReviewRules = z.output<typeof reviewRules>;
