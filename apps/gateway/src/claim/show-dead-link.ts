import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { type AppError, toAppError } from '@rubrica/process/errors';
import type { FastifyReply } from 'fastify';
import { acceptsPages } from '../pages/page-language.ts';
import { assertToken, createClaimPageContext } from './claim-link.ts';
import type { ClaimFlow } from './link-flow.ts';
import { renderDeadLinkScreen, renderNewLinkScreen } from './screens/dead-link-screens.ts';
import { type LinkAnswerDeps, type LinkRequest, sendPage } from './send-page.ts';
import type { ClaimView, RefusedFormView } from './types.ts';

/** Answers of the pages of an invalid link. */
export interface DeadLinkAnswers {
  /** Returns whether its page replaces a refused form that is no longer useful. */
  isInstead(fault: AppError, view: ClaimView): boolean;
  /**
   * Sends the page with the partner's name, under the fault's status.
   * @throws AppError the fault, where nothing is known of the link
   */
  instead(
    request: LinkRequest,
    reply: FastifyReply,
    error: unknown,
    refused?: RefusedFormView,
  ): Promise<FastifyReply>;
}

/** Answers of a claim's link, which can be replaced. */
export interface DeadClaimAnswers extends DeadLinkAnswers {
  /** Confirms the new link; undefined where the old one is valid. */
  sent(request: LinkRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
}

const deadLinkCodes: ReadonlySet<ErrorCode> = new Set(['CLAIM_LINK_INVALID', 'CLAIM_LINK_EXPIRED']);

export function createDeadClaimAnswers(
  { timeZone, clock }: LinkAnswerDeps,
  claims: Pick<ClaimFlow, 'deadLink'>,
): DeadClaimAnswers {
  const loadParts = async (request: LinkRequest) => {
    const dead = await claims.deadLink(assertToken(request.params.token));
    return dead && { dead, context: createClaimPageContext(request, timeZone), now: clock() };
  };
  return {
    isInstead: () => false,
    async instead(request, reply, error, refused) {
      const fault = toAppError(error);
      const mayBeDead = refused !== undefined || deadLinkCodes.has(fault.code);
      const parts = mayBeDead && acceptsPages(request.headers.accept) ? await loadParts(request) : undefined;
      if (parts === undefined) throw fault;
      return sendPage(reply, {
        page: renderDeadLinkScreen({ ...parts, refused }),
        context: parts.context,
        fault,
      });
    },
    async sent(request, reply) {
      const parts = await loadParts(request);
      return parts && sendPage(reply, { page: renderNewLinkScreen(parts), context: parts.context });
    },
  };
}
