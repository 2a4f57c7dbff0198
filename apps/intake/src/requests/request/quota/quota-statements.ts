import { statement } from '@rubrica/database';
import type { QuotaState } from './quota-refusal.ts';

/** For the statement that inserts a request: counts it, or fails where the quota is used up. */
export const takesQuota = 'take_quota(partner_id, certificate_type, created_at, :timeZone) as quota';

/** For the statement that ends a request without a certificate. */
export const givesQuotaBack = 'give_quota_back(partner_id, certificate_type, created_at) as given_back';

/** The same for a statement that ends many: their rows come by partner, type and time, so that two such never wait for each other. */
export const givesQuotaBackInBatch = {
  sql: 'give_quota_back_in_batch(partner_id, certificate_type, created_at)',
  order: 'partner_id, certificate_type, created_at',
} as const;

/** Takes nothing. */
export const readQuotaLeft = statement<
  { partnerId: string; certificateType: string; now: Date; timeZone: string },
  { quota: QuotaState | null }
>({
  name: 'read-quota-left',
  sql: 'select quota_left(:partnerId, :certificateType, :now, :timeZone) as quota',
});
