import type { AppError } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import type { Language } from '../context.ts';
import { html } from '../pages/html.ts';
import { languageOf, takesPages } from '../pages/page-language.ts';
import { docsFrame } from './frame.ts';
import { pagePolicy } from './page-policy.ts';

const texts: Readonly<Record<Language, readonly [title: string, text: string, link: string]>> = {
  en: ['This page does not exist', 'The address is wrong, or the page has moved.', 'To the documentation'],
  es: [
    'Esta página no existe',
    'La dirección es incorrecta, o la página cambió de lugar.',
    'A la documentación',
  ],
};

/** A wrong address below `/docs` as a page; a client that accepts JSON alone gets the error object. */
export function docsErrors(fault: AppError, request: FastifyRequest) {
  const { url = '' } = request.raw;
  if (fault.code !== 'ROUTE_NOT_FOUND' || !/^\/docs[/?]/.test(url)) return undefined;
  if (!takesPages(request.headers.accept)) return undefined;
  const inPath = /^\/docs\/(es|en)\//.exec(url)?.[1] as Language | undefined;
  const language = inPath ?? languageOf(request).language;
  const [title, text, link] = texts[language];
  const back = html`<a href="/docs/${language}">${link}</a>`;
  const body = docsFrame({
    title: `${title} · Rubrica`,
    description: text,
    language,
    contents: html`<p>${back}</p>`,
    main: html`<h1>${title}</h1><p class="lead">${text}</p><p>${back}</p>`,
  });
  return { body, language, policy: pagePolicy };
}
