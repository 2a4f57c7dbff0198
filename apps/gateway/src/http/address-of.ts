import type { FastifyRequest } from 'fastify';

/** The caller's address, for the audit; `unknown` where the connection has ended, although the types exclude it. */
export function addressOf(request: { readonly ip: FastifyRequest['ip'] | undefined }): string {
  return request.ip?.slice(0, 64) ?? 'unknown';
}
