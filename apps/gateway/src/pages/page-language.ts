import type { FastifyRequest } from 'fastify';
import { type Language, selectLanguage } from '../context.ts';

export interface PageLanguage {
  readonly language: Language;
  /** `?lang=…` where the reader chose it, kept over forms and redirects; otherwise empty. */
  readonly query: string;
}

/** Selects Spanish unless the reader chose or prefers English. */
export function selectPageLanguage(request: Pick<FastifyRequest, 'headers' | 'raw'>): PageLanguage {
  // Read from the raw address: an unknown route has no parsed query, and its error page has a language too.
  const chosen = /[?&]lang=(es|en)(?=&|$)/.exec(request.raw.url ?? '')?.[1] as Language | undefined;
  return {
    language: chosen ?? selectLanguage(request.headers['accept-language'], 'es'),
    query: chosen === undefined ? '' : `?lang=${chosen}`,
  };
}

/**
 * Returns whether the client accepts pages, as browsers and clients that accept anything do; a client that accepts only
 * JSON gets the error object.
 */
export function acceptsPages(accept: string | undefined): boolean {
  return accept === undefined || /text\/html|application\/xhtml|text\/\*|\*\/\*/i.test(accept);
}
