import { AppError } from '@rubrica/process/errors';
import type { FastifyRequest } from 'fastify';
import { selectPageLanguage } from '../pages/page-language.ts';
import type { LinkName, PageContext } from './types.ts';

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;
const linkInPath = /^\/(claim|renew)\/([^/?]+)/;

/** Returns whether an address is below a link. */
export function isBelowLink(url: string): boolean {
  return /^\/(claim|renew)\//.test(url);
}

/** Returns whether a text has the form of a token, before any call. */
export function isToken(token: string): boolean {
  return tokenPattern.test(token);
}

/**
 * Checks the form of a token.
 * @throws AppError CLAIM_LINK_INVALID, without any call
 */
export function assertToken(token: string): string {
  if (!tokenPattern.test(token)) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  return token;
}

export function createClaimPageContext(
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
  timeZone: string,
): PageContext {
  const [, link = 'claim', token = ''] = linkInPath.exec(request.raw.url ?? '') ?? [];
  return {
    link: link as LinkName,
    token: tokenPattern.test(token) ? token : '',
    ...selectPageLanguage(request),
    timeZone,
  };
}

/** Pages and actions below a link. */
export type LinkPath =
  | ''
  | '/code'
  | '/check'
  | '/password'
  | '/download'
  | '/progress'
  | '/new-link'
  | '/revoke'
  | '/logo'
  | `/${Report}`;

/** Reports that an applicant can make instead of claiming. */
export const reports = ['not-me', 'wrong-data'] as const;
export type Report = (typeof reports)[number];

/** Builds an address below the link, with the chosen language. */
export function address(
  { link, token, query }: Pick<PageContext, 'link' | 'token' | 'query'>,
  below: LinkPath = '',
): string {
  return `/${link}/${token}${below}${query}`;
}
