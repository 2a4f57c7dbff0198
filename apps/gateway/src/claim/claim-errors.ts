import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { html } from '@rubrica/html';
import type { AppError } from '@rubrica/process/errors';
import type { FastifyRequest } from 'fastify';
import { formatDuration } from '../pages/counts.ts';
import { type Page, pagePolicy, renderDocument } from '../pages/layout.ts';
import { acceptsPages } from '../pages/page-language.ts';
import { address, createClaimPageContext, isBelowLink } from './claim-link.ts';
import { selectTexts } from './texts/texts.ts';
import type { PageContext } from './types.ts';

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

/** Codes without a link back to the request, where it does not help. */
const deadEnds: ReadonlySet<string> = new Set([
  'CLAIM_LINK_INVALID',
  'CLAIM_LINK_EXPIRED',
  'NO_ACTIVE_TERMS',
  'REQUEST_STATE_NOT_ALLOWED',
  'ROUTE_NOT_FOUND',
]);

/** Builds the page of a failure: what happened, what to do, and a link back where that helps. */
function renderErrorPage(fault: AppError, context: PageContext, traceId: string): Page {
  const words = selectTexts(context);
  const [title, text] = words.errors[fault.code] ?? words.errors.OTHER ?? ['', ''];
  const { http } = errorCatalogue[fault.code];
  const wait = (http === 429 || http === 503) && fault.retryAfterSeconds;
  const hasBackLink = context.token !== '' && !deadEnds.has(fault.code);
  return {
    title,
    main: html`<h1 tabindex="-1">${title}</h1><p class="lead">${text}</p>${wait !== undefined && wait !== false && html`<p>${words.wait(formatDuration(wait, context.language))}</p>`}${hasBackLink && html`<p class="actions"><a class="button quiet" href="${address(context)}">${words.back}</a></p>`}${http >= 500 && html`<p class="trace">${words.trace} ${traceId}</p>`}`,
  };
}
