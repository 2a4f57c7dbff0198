import type { ClaimReport } from '@rubrica/contracts/services/schemas/claims';
import type { Report } from './claim-link.ts';
import { identifySender } from './identify-sender.ts';
import type { ClaimFlow } from './link-flow.ts';
import type { AnswerForm } from './show-screen.ts';

const meanings: Readonly<Record<Report, ClaimReport>> = { 'not-me': 'DISPUTED', 'wrong-data': 'DATA_WRONG' };

/**
 * Accepts the applicant's report that the request is not theirs, or that the data are wrong. A repetition gets the same
 * answer.
 */
export function answerReport(claims: Pick<ClaimFlow, 'report'>, report: Report): AnswerForm {
  return async (deps, { request, reply }) => {
    const { token } = identifySender(request, deps);
    try {
      await claims.report(token, meanings[report]);
    } catch (error) {
      return deps.show.refusal(request, reply, { error, typed: { action: 'report' } });
    }
    return deps.show.next(request, reply);
  };
}
