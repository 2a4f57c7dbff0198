import { identifySender } from './identify-sender.ts';
import type { ClaimFlow } from './link-flow.ts';
import type { AnswerForm } from './show-screen.ts';

/** Sends a new link to the stored address, on request from an invalid link. */
export function answerNewLink(claims: Pick<ClaimFlow, 'renewLink'>): AnswerForm {
  return async (deps, { request, reply }) => {
    const { token } = identifySender(request, deps);
    try {
      await claims.renewLink(token);
    } catch (error) {
      return deps.show.refusal(request, reply, { error, typed: { action: 'renew' } });
    }
    return deps.show.next(request, reply, '/new-link');
  };
}
