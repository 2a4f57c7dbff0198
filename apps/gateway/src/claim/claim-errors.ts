import type { AppError } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import { pagePolicy, renderDocument } from '../pages/layout.ts';
import { acceptsPages } from '../pages/page-language.ts';
import { createClaimPageContext, isBelowLink } from './claim-link.ts';
import { renderErrorPage } from './error-page.ts';

export interface RenderedError {
  readonly body: string;
  readonly language: 'en' | 'es';
  readonly policy: string;
}

/** Creates the error pages below a link, for clients that accept HTML; all others get the error object. */
export function createClaimErrors({ timeZone }: { timeZone: string }) {
  return (fault: AppError, request: FastifyRequest): RenderedError | undefined => {
    if (request.raw.url === undefined || !isBelowLink(request.raw.url)) return undefined;
    if (!acceptsPages(request.headers.accept) || request.raw.url.includes('/progress')) return undefined;
    const context = createClaimPageContext(request, timeZone);
    const page = renderErrorPage(fault, context, request.call.traceId);
    return { body: renderDocument(page, context), language: context.language, policy: pagePolicy };
  };
}
