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
export function aroundOf(request: Pick<FastifyRequest, 'headers' | 'raw'>, timeZone: string): Around {
  const url = request.raw.url ?? '';
  // From the raw address: one that could not be routed has no parsed query, and its error page a language all the same.
  const chosen = /[?&]lang=(es|en)(?=&|$)/.exec(url)?.[1] as Language | undefined;
  const token = tokenInPath.exec(url)?.[1] ?? '';
  return {
    token: tokenShape.test(token) ? token : '',
    language: chosen ?? preferredLanguage(request.headers['accept-language'], 'es'),
    query: chosen === undefined ? '' : `?lang=${chosen}`,
    timeZone,
  };
}

/** Browsers and clients that take anything are shown pages; who asks for JSON alone gets the error object. */
export function takesPages(accept: string | undefined): boolean {
  return accept === undefined || /text\/html|application\/xhtml|text\/\*|\*\/\*/i.test(accept);
}
