import type { QuotaLeft } from '@rubrica/contracts/shared/quota';
import type { FastifyReply } from 'fastify';

/** Sets the headers of the quota of the request's type; none without a quota. */
export function setQuotaHeaders(reply: FastifyReply, quota: QuotaLeft | undefined): void {
  if (quota === undefined) return;
  reply.headers({ 'x-quota-limit': quota.limit, 'x-quota-remaining': quota.remaining });
}
