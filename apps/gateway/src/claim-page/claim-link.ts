import { createHash } from 'node:crypto';
import { AppError } from '@rubrica/service';
import type { FastifyRequest } from 'fastify';
import { preferredLanguage } from '../http/language.ts';
import type { Around, Language } from './types.ts';

const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const tokenInPath = /^\/claim\/([^/?]+)/;

export const claimPrefix = '/claim/';

/** The token of a link as it crosses the bus. @throws AppError CLAIM_LINK_INVALID for what cannot be a token */
export function sha256OfToken(token: string): string {
  if (!tokenShape.test(token)) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  return createHash('sha256').update(token).digest('hex');
}

/** Spanish unless the holder chose or prefers English. */
export function aroundOf(
  request: Pick<FastifyRequest, 'query' | 'headers' | 'raw'>,
  timeZone: string,
): Around {
  const chosen = chosenLanguage(request.query);
  const token = tokenInPath.exec(request.raw.url ?? '')?.[1] ?? '';
  return {
    token: tokenShape.test(token) ? token : '',
    language: chosen ?? preferredLanguage(request.headers['accept-language'], 'es'),
    query: chosen === undefined ? '' : `?lang=${chosen}`,
    timeZone,
  };
}

function chosenLanguage(query: unknown): Language | undefined {
  const { lang } = (query ?? {}) as { lang?: unknown };
  return lang === 'es' || lang === 'en' ? lang : undefined;
}

/** Browsers and clients that take anything are shown pages; who asks for JSON alone gets the error object. */
export function takesPages(accept: string | undefined): boolean {
  return accept === undefined || /text\/html|application\/xhtml|text\/\*|\*\/\*/i.test(accept);
}
