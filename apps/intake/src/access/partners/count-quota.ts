import { statement } from '@rubrica/database/statement';

/** Counts the quota in the transaction that changes the setting, which holds the partner's row for update. */
export const countQuota = statement<{ partnerId: string; now: Date; timeZone: string }>({
  name: 'count-quota',
  sql: 'select count_quota(:partnerId, :now, :timeZone)',
});
