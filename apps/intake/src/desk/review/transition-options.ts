import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { TransitionOptions } from '../../requests/request/apply-transition.ts';
import type { Request } from '../../requests/request/request.entity.ts';
import type { DeskDeps } from '../deps.ts';
import { toRequestRow } from '../search/request-row.ts';
import { approvalsNeeded } from './judge-approval.ts';
import { type ReviewStep, toActor } from './note-review.ts';

export type ReviewDecision = OperatorOutput<'reviews.approve'>;

/** Creates the common options of transitions that an operator decides. */
export function toTransitionOptions(
  { rules, rows, newId }: Pick<DeskDeps, 'rules' | 'rows' | 'newId'>,
  { operator, reason, now }: ReviewStep,
): TransitionOptions {
  return {
    now,
    actor: toActor(operator),
    reason,
    newId,
    rows,
    errorWindowDays: rules.errorWindowDays,
    retention: rules.retention,
  };
}

export function toReviewDecision(request: Request, approvals: number): ReviewDecision {
  return {
    ...toRequestRow(request),
    approvals,
    approvalsNeeded: approvalsNeeded[request.reviewPolicy],
  };
}
