import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { type AppError, toAppError } from '@rubrica/process';
import type { FastifyReply } from 'fastify';
import { takesPages } from '../pages/page-language.ts';
import { assertToken, pageContextOf } from './claim-link.ts';
import type { ClaimFlow } from './link-flow.ts';
import { deadLinkScreen, newLinkScreen } from './screens/dead-link-screens.ts';
import { type LinkRequest, type ShowDeps, sendPage } from './send-page.ts';
import type { ClaimView, Refused } from './types.ts';

/** How the pages of a link that opens nothing any more are answered. */
export interface ShowDead {
  /** Whether its page stands in place of a refused form, which is of no more use. */
  isInstead(fault: AppError, view: ClaimView): boolean;
  /** The page that names the partner, under the fault's status. @throws AppError the fault, where nothing is known */
  instead(
    request: LinkRequest,
    reply: FastifyReply,
    error: unknown,
    refused?: Refused,
  ): Promise<FastifyReply>;
}

/** Of a claim's link another may be had. */
export interface ShowDeadClaim extends ShowDead {
  /** Undefined where the link is not dead. */
  sent(request: LinkRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
}

const ofDeadLinks: ReadonlySet<ErrorCode> = new Set(['CLAIM_LINK_INVALID', 'CLAIM_LINK_EXPIRED']);

export function createShowDead(
  { timeZone, clock }: ShowDeps,
  claims: Pick<ClaimFlow, 'deadLink'>,
): ShowDeadClaim {
  const partsOf = async (request: LinkRequest) => {
    const dead = await claims.deadLink(assertToken(request.params.token));
    return dead && { dead, context: pageContextOf(request, timeZone), now: clock() };
  };
  return {
    isInstead: () => false,
    async instead(request, reply, error, refused) {
      const fault = toAppError(error);
      const mayBeDead = refused !== undefined || ofDeadLinks.has(fault.code);
      const parts = mayBeDead && takesPages(request.headers.accept) ? await partsOf(request) : undefined;
      if (parts === undefined) throw fault;
      return sendPage(reply, {
        page: deadLinkScreen({ ...parts, refused }),
        context: parts.context,
        fault,
      });
    },
    async sent(request, reply) {
      const parts = await partsOf(request);
      return parts && sendPage(reply, { page: newLinkScreen(parts), context: parts.context });
    },
  };
}
