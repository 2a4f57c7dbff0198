import { createText } from '@rubrica/contracts/error-texts/create-text';
import { renderText } from '@rubrica/contracts/error-texts/render-text';
import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { html } from '@rubrica/html';
import type { AppError } from '@rubrica/process/errors';
import type { FastifyRequest } from 'fastify';
import type { Language } from '../../context.ts';
import { type Page, pagePolicy, renderDocument } from '../../pages/layout.ts';
import { acceptsPages, selectPageLanguage } from '../../pages/page-language.ts';
import { startPath } from './paths.ts';
import { texts } from './texts.ts';

type Texts = (typeof texts)['en'];

/** Renders a page in the language of the request, with its policy. */
export function renderOpenIdPage(
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
  pageOf: (words: Texts, language: Language) => Page,
) {
  const { language } = selectPageLanguage(request);
  return {
    body: renderDocument(pageOf(texts[language], language), { language }),
    language,
    policy: pagePolicy,
  };
}

/** Renders title and text of a refusal. */
export function renderRefusal(reason: OpenIdRefusal, language: Language): readonly [string, string] {
  const title = createText(`openId.${reason}.title`);
  const advice = createText(`openId.${reason}.advice`);
  return [renderText(title, language) ?? '', renderText(advice, language) ?? ''];
}

/** Renders why the sign-in failed, and the next step. */
export function renderRefusalPage([title, text]: readonly [string, string], words: Texts): Page {
  const main = html`<h1 tabindex="-1">${title}</h1><p class="lead">${text}</p>
<p class="actions"><a class="button" href="${startPath}">${words.again}</a> <a class="button quiet" href="/">${words.home}</a></p>`;
  return { title, main };
}

/** Renders failures below `/auth/oidc/` as a page, for clients that accept pages. */
export function renderOpenIdError(fault: AppError, request: FastifyRequest) {
  if (!request.raw.url?.startsWith('/auth/oidc/') || !acceptsPages(request.headers.accept)) return undefined;
  const { http } = errorCatalogue[fault.code];
  return renderOpenIdPage(request, (words) => {
    const { title, main } = renderRefusalPage(words.errors[fault.code] ?? words.other, words);
    const trace = http >= 500 && html`<p class="trace">${words.trace} ${request.call.traceId}</p>`;
    return { title, main: html`${main}${trace}` };
  });
}
