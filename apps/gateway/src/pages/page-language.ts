import type { FastifyRequest } from 'fastify';
import { type Language, preferredLanguage } from '../context.ts';

export interface PageLanguage {
  readonly language: Language;
  /** `?lang=…` where the reader chose it, to be kept over forms and redirects; else empty. */
  readonly query: string;
}

/** Spanish unless the reader chose or prefers English. */
export function languageOf(request: Pick<FastifyRequest, 'headers' | 'raw'>): PageLanguage {
  // From the raw address: one that could not be routed has no parsed query, and its error page a language all the same.
  const chosen = /[?&]lang=(es|en)(?=&|$)/.exec(request.raw.url ?? '')?.[1] as Language | undefined;
  return {
    language: chosen ?? preferredLanguage(request.headers['accept-language'], 'es'),
    query: chosen === undefined ? '' : `?lang=${chosen}`,
  };
}

/** Browsers and clients that take anything are shown pages; who asks for JSON alone gets the error object. */
export function takesPages(accept: string | undefined): boolean {
  return accept === undefined || /text\/html|application\/xhtml|text\/\*|\*\/\*/i.test(accept);
}
