import { statement } from '@rubrica/database';
import type { QuotaState } from './quota-refusal.ts';

/** For the statement that inserts a request: counts it, or fails where the quota is used up. */
export const takesQuota = 'take_quota(partner_id, certificate_type, created_at, :timeZone) as quota';

/** For the statement that ends a request without a certificate. */
export const givesQuotaBack = 'give_quota_back(partner_id, certificate_type, created_at) as given_back';

/** In the transaction that changes the setting, which holds the partner's row for update. */
export const countQuota = statement<{ partnerId: string; now: Date; timeZone: string }>({
  name: 'count-quota',
  sql: 'select count_quota(:partnerId, :now, :timeZone)',
});

/** Takes nothing. */
export const readQuotaLeft = statement<
  { partnerId: string; certificateType: string; now: Date; timeZone: string },
  { quota: QuotaState | null }
>({
  name: 'read-quota-left',
  sql: 'select quota_left(:partnerId, :certificateType, :now, :timeZone) as quota',
});
