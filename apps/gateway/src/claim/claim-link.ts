import { createHash } from 'node:crypto';
import { AppError } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import { languageOf } from '../pages/page-language.ts';
import type { PageContext } from './types.ts';

const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const tokenInPath = /^\/claim\/([^/?]+)/;

export const claimPrefix = '/claim/';

/** The token of a link as it crosses the bus. @throws AppError CLAIM_LINK_INVALID for what cannot be a token */
export function sha256OfToken(token: string): string {
  if (!tokenShape.test(token)) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  return createHash('sha256').update(token).digest('hex');
}

export function pageContextOf(
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
  timeZone: string,
): PageContext {
  const token = tokenInPath.exec(request.raw.url ?? '')?.[1] ?? '';
  return {
    token: tokenShape.test(token) ? token : '',
    ...languageOf(request),
    timeZone,
  };
}
