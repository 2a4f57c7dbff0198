import type { Family } from '@rubrica/contracts/shared/enumerations';
import { familyPlans } from './family-plans.ts';
import type { Request } from './request.entity.ts';
import type { Trigger } from './state-machine.ts';

export type ApprovalTrigger = Extract<Trigger, 'approve' | 'passToGeneration' | 'passSteps'>;

export function isApprovalTrigger(trigger: Trigger): trigger is ApprovalTrigger {
  return trigger === 'approve' || trigger === 'passToGeneration' || trigger === 'passSteps';
}

/** Returns whether a request that has passed every check waits for its applicant. */
export function needsClaim(request: Pick<Request, 'passwordOrigin' | 'claimedAtRegistration'>): boolean {
  return request.passwordOrigin === 'HOLDER' && !request.claimedAtRegistration;
}

/** SQL of the same condition on a row. */
export const needsClaimSql = `password_origin = 'HOLDER' and not claimed_at_registration`;

/** Chooses the transition of a request that has passed every check, automatic or by a reviewer. */
export function approvalTrigger({
  family,
  needsClaim,
}: {
  family: Family;
  needsClaim: boolean;
}): ApprovalTrigger {
  if (familyPlans[family].stepwiseHours !== null) return 'passSteps';
  return needsClaim ? 'approve' : 'passToGeneration';
}
