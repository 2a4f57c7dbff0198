import type { FastifyRequest } from 'fastify';

/** Of whoever calls, for the audit; `unknown` where the connection has ended meanwhile, whatever the types say. */
export function addressOf(request: { readonly ip: FastifyRequest['ip'] | undefined }): string {
  return request.ip?.slice(0, 64) ?? 'unknown';
}
