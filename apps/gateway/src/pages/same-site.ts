import { AppError } from '@rubrica/process/errors';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses forms of other sites where the browser states their origin. `Origin: null` passes: browsers without
 * Sec-Fetch-Site send it from a page under `no-referrer`, such as ours (Fetch, "append a request Origin header").
 * @throws AppError FORBIDDEN
 */
export function refuseCrossSite(request: Pick<FastifyRequest, 'headers'>, baseUrl: string): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new AppError({ code: 'FORBIDDEN' });
    return;
  }
  if (origin === undefined || origin === 'null' || origin === new URL(baseUrl).origin) return;
  // A proxy may serve this under another name, which only the Host header contains.
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new AppError({ code: 'FORBIDDEN' });
}
