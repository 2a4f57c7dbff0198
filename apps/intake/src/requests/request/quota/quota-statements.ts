import { statement } from '@rubrica/database';
import type { QuotaState } from './quota-refusal.ts';

/** SQL for the statement that inserts a request: counts it, or fails if the quota is exhausted. */
export const takeQuotaSql = 'take_quota(partner_id, certificate_type, created_at, :timeZone) as quota';

/** SQL for the statement that ends a request without a certificate: refunds the quota. */
export const refundQuotaSql = 'give_quota_back(partner_id, certificate_type, created_at) as given_back';

/**
 * SQL for a statement that ends many requests. Their rows come by partner, type and time, so that two such
 * statements never deadlock.
 */
export const refundQuotaBatchSql = {
  sql: 'give_quota_back_in_batch(partner_id, certificate_type, created_at)',
  order: 'partner_id, certificate_type, created_at',
} as const;

/** Reads the quota without using it. */
export const readQuotaLeft = statement<
  { partnerId: string; certificateType: string; now: Date; timeZone: string },
  { quota: QuotaState | null }
>({
  name: 'read-quota-left',
  sql: 'select quota_left(:partnerId, :certificateType, :now, :timeZone) as quota',
});
