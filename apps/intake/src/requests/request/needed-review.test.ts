import { families, reviewPolicies } from '@rubrica/contracts/shared/enumerations';
import { describe, expect, it } from 'vitest';
import { determineReview } from './needed-review.ts';

describe('a review', () => {
  it("is asked for by the partner's policy in the regular family alone", () => {
    for (const family of families)
      for (const reviewPolicy of reviewPolicies) {
        const asked = family === 'FR' && reviewPolicy !== 'automatic';
        expect(determineReview({ family, reviewPolicy, registryAsks: false })).toEqual(
          asked ? { policy: reviewPolicy, reason: 'POLICY' } : null,
        );
      }
  });

  it('is asked for by the registry in every family, and needs one operator unless four eyes were agreed', () => {
    for (const family of families) {
      const policyOf = (reviewPolicy: (typeof reviewPolicies)[number]) =>
        determineReview({ family, reviewPolicy, registryAsks: true })?.policy;
      expect(reviewPolicies.map(policyOf)).toEqual(['manual', 'manual', 'four-eyes']);
    }
  });
});
