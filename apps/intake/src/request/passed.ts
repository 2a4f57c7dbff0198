import type { Family } from '@rubrica/contracts/shared/enumerations';
import { familyPlans } from './family-plans.ts';
import type { Trigger } from './state-machine.ts';

export type Passed = Extract<Trigger, 'approve' | 'passToGeneration' | 'passSteps'>;

/** The transition of a request that has passed every check, automatic or by a reviewer. */
export function passed({ family, needsClaim }: { family: Family; needsClaim: boolean }): Passed {
  if (familyPlans[family].stepwiseHours !== null) return 'passSteps';
  return needsClaim ? 'approve' : 'passToGeneration';
}
