import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WaitingPolicy } from '../../requests/request/needed-review.ts';
import { approvalsNeeded, judgeApproval } from './judge-approval.ts';

const policies = Object.keys(approvalsNeeded) as WaitingPolicy[];

describe('approvals', () => {
  it('are complete with as many different operators as the policy wants, in whichever order they click, and never sooner', () => {
    const clicks = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...policies), clicks, (policy, operators) => {
        const approvedBy: string[] = [];
        for (const operatorId of operators) {
          const verdict = judgeApproval({ policy, approvedBy, operatorId });
          expect(verdict === 'repeated').toBe(approvedBy.includes(operatorId));
          if (verdict === 'repeated') continue;
          approvedBy.push(operatorId);
          expect(verdict === 'complete').toBe(new Set(approvedBy).size >= approvalsNeeded[policy]);
          if (verdict === 'complete') return;
        }
        expect(new Set(operators).size).toBeLessThan(approvalsNeeded[policy]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of four eyes are never those of one operator', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1, max: 5 }), (operatorId, times) => {
        const approvedBy = Array.from({ length: times }, () => operatorId);
        expect(judgeApproval({ policy: 'four-eyes', approvedBy, operatorId })).toBe('repeated');
      }),
    );
  });
});
