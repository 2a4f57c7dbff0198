import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Page, pagePolicy, picturePolicy, renderDocument } from '../pages/layout.ts';
import type { LinkFlow } from './link-flow.ts';
import type { PageContext } from './types.ts';

/** Dependencies of the pages below a link. */
export interface LinkAnswerDeps {
  readonly flow: LinkFlow;
  readonly timeZone: string;
  readonly baseUrl: string;
  readonly clock: Clock;
}

export type LinkRequest = FastifyRequest<{ Params: { token: string } }>;

/** Sends a page, with the status of the fault that it reports. */
export function sendPage(
  reply: FastifyReply,
  { page, context, fault }: { page: Page; context: PageContext; fault?: AppError | undefined },
): FastifyReply {
  if (fault !== undefined) reply.code(errorCatalogue[fault.code].http);
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', context.language)
    .header('content-security-policy', page.hasPicture === true ? picturePolicy : pagePolicy)
    .send(renderDocument(page, context));
}
