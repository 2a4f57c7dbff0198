import type { WaitingPolicy } from '../../requests/request/needed-review.ts';

export const approvalsNeeded = { manual: 1, 'four-eyes': 2 } as const satisfies Record<WaitingPolicy, number>;

/**
 * Verdict on an approval. `repeated`: the operator has approved already. `incomplete`: another operator has
 * to approve too.
 */
export type ApprovalVerdict = 'complete' | 'incomplete' | 'repeated';

/**
 * Judges one more approval.
 * @param approvedBy ids of the operators who approved in the same validation attempt
 */
export function judgeApproval(approval: {
  readonly policy: WaitingPolicy;
  readonly approvedBy: readonly string[];
  readonly operatorId: string;
}): ApprovalVerdict {
  const { policy, approvedBy, operatorId } = approval;
  if (approvedBy.includes(operatorId)) return 'repeated';
  return approvedBy.length + 1 >= approvalsNeeded[policy] ? 'complete' : 'incomplete';
}
