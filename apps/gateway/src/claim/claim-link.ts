import { AppError } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import { languageOf } from '../pages/page-language.ts';
import type { LinkName, PageContext } from './types.ts';

const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const linkInPath = /^\/(claim|renew)\/([^/?]+)/;

/** Whether an address is below a link. */
export function isBelowLink(url: string): boolean {
  return /^\/(claim|renew)\//.test(url);
}

/** What cannot be one is asked of nobody. */
export function isToken(token: string): boolean {
  return tokenShape.test(token);
}

/** @throws AppError CLAIM_LINK_INVALID for what cannot be a token: nothing is sealed and nobody asked for it */
export function assertToken(token: string): string {
  if (!tokenShape.test(token)) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  return token;
}

export function pageContextOf(
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
  timeZone: string,
): PageContext {
  const [, link = 'claim', token = ''] = linkInPath.exec(request.raw.url ?? '') ?? [];
  return {
    link: link as LinkName,
    token: tokenShape.test(token) ? token : '',
    ...languageOf(request),
    timeZone,
  };
}

/** What is below a link. */
export type Below =
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

/** What an applicant can say instead of claiming. */
export const reports = ['not-me', 'wrong-data'] as const;
export type Report = (typeof reports)[number];

/** Below the link, with the language that was chosen. */
export function address(
  { link, token, query }: Pick<PageContext, 'link' | 'token' | 'query'>,
  below: Below = '',
): string {
  return `/${link}/${token}${below}${query}`;
}
