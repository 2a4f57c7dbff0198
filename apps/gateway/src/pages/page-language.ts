import type { FastifyRequest } from 'fastify';
import { type Language, preferredLanguage } from '../context.ts';

export interface PageLanguage {
  readonly language: Language;
  /** `?lang=…` where the reader chose it, to be kept over forms and redirects; else empty. */
  readonly query: string;
}

/** Spanish unless the reader chose or prefers English. */
export function languageOf(request: Pick<FastifyRequest, 'headers' | 'raw'>): PageLanguage {
  // From the raw address: where no route was found there is no parsed query, and the error page has a language too.
  const chosen = /[?&]lang=(es|en)(?=&|$)/.exec(request.raw.url ?? '')?.[1] as Language | undefined;
  return {
    language: chosen ?? preferredLanguage(request.headers['accept-language'], 'es'),
    query: chosen === undefined ? '' : `?lang=${chosen}`,
  };
}

/** Browsers, and clients that accept anything, get pages; a client that accepts JSON alone gets the error object. */
export function takesPages(accept: string | undefined): boolean {
  return accept === undefined || /text\/html|application\/xhtml|text\/\*|\*\/\*/i.test(accept);
}
