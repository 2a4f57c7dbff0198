import { type Histogram, percentileMs } from '@rubrica/database/day-rows';
import { statement } from '@rubrica/database/statement';
import { formatLocalDate } from '@rubrica/process/time';
import type { UseCase } from '@rubrica/wiring';
import type { NotifierDeps } from '../../context.ts';
import { countDay } from './count-days.ts';

type DeliveryLevels = UseCase<'notifier', 'deliveries.levels'>;

interface PartnerRow {
  readonly partnerId: string;
  readonly webhooks: number;
  readonly delivered: number;
  readonly atFirstAttempt: number;
  readonly times: readonly Histogram[];
}

const inMonth = `day >= (:month || '-01')::date and day < (:month || '-01')::date + interval '1 month'`;

const readDays = statement<{ readonly month: string; readonly partnerIds: readonly string[] }, PartnerRow>({
  name: 'read-delivery-days',
  sql: `
select partner_id as "partnerId", sum(webhooks)::int as webhooks, sum(delivered)::int as delivered,
  sum(at_first_attempt)::int as "atFirstAttempt", jsonb_agg(times) as times
from delivery_day where partner_id = any(:partnerIds::uuid[]) and ${inMonth} group by partner_id`,
});

const readAge = statement<{ readonly month: string }, { readonly asOf: Date | string | null }>({
  name: 'read-age-of-days',
  sql: `select min(computed_at) as "asOf" from delivery_day_computed where ${inMonth}`,
});

/**
 * Returns how webhooks of a month arrived, by partner. Today is counted first, so the cost is one row per day and
 * partner.
 */
export function createDeliveryLevels({
  database,
  timeZone,
  clock,
}: Pick<NotifierDeps, 'database' | 'timeZone' | 'clock'>): DeliveryLevels {
  return async ({ month, partnerIds }) => {
    const now = clock();
    const today = formatLocalDate(now, timeZone);
    if (today.startsWith(month)) await countDay(database, { now, timeZone, day: today });
    const rows = await readDays.run(database, { month, partnerIds });
    const [age] = await readAge.run(database, { month });
    return {
      items: rows.map(({ times, ...row }) => ({
        ...row,
        p50Seconds: percentileSeconds(times, 0.5),
        p95Seconds: percentileSeconds(times, 0.95),
      })),
      asOf: age?.asOf ? new Date(age.asOf).toISOString() : null,
    };
  };
}

function percentileSeconds(histograms: readonly Histogram[], share: number): number | null {
  const ms = percentileMs(histograms, share);
  return ms === null ? null : Math.round(ms) / 1_000;
}
