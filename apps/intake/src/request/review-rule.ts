import type { Family, ReviewPolicy } from '@rubrica/contracts/shared/enumerations';
import { familyPlans } from './family-plans.ts';

export type WaitingPolicy = Exclude<ReviewPolicy, 'automatic'>;

/** Why and under which rule a person is asked. */
export interface NeededReview {
  readonly policy: WaitingPolicy;
  readonly reason: 'POLICY' | 'REGISTRY';
}

/** Whether a request that passed all automatic checks is shown to a person; null: nobody is asked. */
export const neededReview = (request: {
  readonly family: Family;
  readonly reviewPolicy: ReviewPolicy;
  readonly registryAsks: boolean;
}): NeededReview | null => {
  const { family, reviewPolicy, registryAsks } = request;
  // The registry's doubt needs one person; a partner that agreed to four eyes has them whenever somebody looks.
  if (registryAsks)
    return { policy: reviewPolicy === 'four-eyes' ? reviewPolicy : 'manual', reason: 'REGISTRY' };
  if (reviewPolicy === 'automatic' || !familyPlans[family].isReviewed) return null;
  return { policy: reviewPolicy, reason: 'POLICY' };
};

export const approvalsNeeded = { manual: 1, 'four-eyes': 2 } as const satisfies Record<WaitingPolicy, number>;

/** `repeated`: nobody's second approval counts. `incomplete`: another operator has to approve too. */
export type ApprovalVerdict = 'complete' | 'incomplete' | 'repeated';

/**
 * What one more approval means.
 * @param approvedBy ids of those who approved in the same validation attempt
 */
export const judgeApproval = (approval: {
  readonly policy: WaitingPolicy;
  readonly approvedBy: readonly string[];
  readonly operatorId: string;
}): ApprovalVerdict => {
  const { policy, approvedBy, operatorId } = approval;
  if (approvedBy.includes(operatorId)) return 'repeated';
  return approvedBy.length + 1 >= approvalsNeeded[policy] ? 'complete' : 'incomplete';
};
