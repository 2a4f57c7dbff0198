import type { Status } from '@rubrica/contracts/shared/enumerations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from '../../http/etag.ts';

/** Seconds until another poll makes sense; final states have none. */
const retryAfterSeconds: Partial<Record<Status, number>> = {
  REGISTERED: 2,
  VALIDATING: 2,
  GENERATING: 2,
  // Waits for the applicant or the partner.
  APPROVED: 60,
  ERROR: 60,
};

/**
 * Sets the ETag and Retry-After of an answer about a request.
 * @returns whether the caller has this version already: the answer is then 304, without a body
 */
export function isCurrentVersion(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { etag, status }: { readonly etag: string; readonly status: Status },
): boolean {
  const wait = retryAfterSeconds[status];
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (wait !== undefined) reply.header('retry-after', String(wait));
  return matchesEtag(request.headers['if-none-match'], etag);
}
