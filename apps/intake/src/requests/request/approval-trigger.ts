import type { Family } from '@rubrica/contracts/shared/enumerations';
import { familyPlans } from './family-plans.ts';
import type { Request } from './request.entity.ts';
import type { Trigger } from './state-machine.ts';

export type Passed = Extract<Trigger, 'approve' | 'passToGeneration' | 'passSteps'>;

export function isPassed(trigger: Trigger): trigger is Passed {
  return trigger === 'approve' || trigger === 'passToGeneration' || trigger === 'passSteps';
}

/** Returns whether a request that has passed every check waits for its applicant. */
export function needsClaim(request: Pick<Request, 'passwordOrigin' | 'claimedAtRegistration'>): boolean {
  return request.passwordOrigin === 'HOLDER' && !request.claimedAtRegistration;
}

/** SQL of the same condition on a row. */
export const needsClaimSql = `password_origin = 'HOLDER' and not claimed_at_registration`;

/** Chooses the transition of a request that has passed every check, automatic or by a reviewer. */
export function passed({ family, needsClaim }: { family: Family; needsClaim: boolean }): Passed {
  if (familyPlans[family].stepwiseHours !== null) return 'passSteps';
  return needsClaim ? 'approve' : 'passToGeneration';
}
