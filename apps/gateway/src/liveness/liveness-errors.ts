import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { html } from '@rubrica/html';
import type { AppError } from '@rubrica/process/errors';
import type { FastifyRequest } from 'fastify';
import { pagePolicy, renderDocument } from '../pages/layout.ts';
import { acceptsPages, selectPageLanguage } from '../pages/page-language.ts';
import { texts } from './texts.ts';

const prefix = '/liveness/';

/** Renders failures below `/liveness/` as a page, for clients that accept HTML. */
export function renderLivenessError(fault: AppError, request: FastifyRequest) {
  if (!request.raw.url?.startsWith(prefix) || !acceptsPages(request.headers.accept)) return undefined;
  const { language } = selectPageLanguage(request);
  const words = texts[language];
  const [title, text] = words.errors[fault.code] ?? words.other;
  const { http } = errorCatalogue[fault.code];
  const isRetryable = http === 429 || http >= 500;
  const main = html`<h1 tabindex="-1">${title}</h1><p class="lead">${text}</p>${isRetryable && html`<p class="actions"><a class="button quiet" href="">${words.again}</a></p>`}${http >= 500 && html`<p class="trace">${words.trace} ${request.call.traceId}</p>`}`;
  return { body: renderDocument({ title, main }, { language }), language, policy: pagePolicy };
}
