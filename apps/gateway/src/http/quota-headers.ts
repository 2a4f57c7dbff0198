import type { QuotaLeft } from '@rubrica/contracts/shared/quota';
import type { FastifyReply } from 'fastify';

/** Of the quota of the request's type; nothing where there is none. */
export function quotaHeaders(reply: FastifyReply, quota: QuotaLeft | undefined): void {
  if (quota === undefined) return;
  reply.headers({ 'x-quota-limit': quota.limit, 'x-quota-remaining': quota.remaining });
}
