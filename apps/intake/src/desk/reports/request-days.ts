import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { Histogram } from '@rubrica/database/day-rows';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { formatLocalDate } from '@rubrica/process/time';
import type { DeskDeps } from '../deps.ts';
import { countDay } from './count-days.ts';

/** Outcomes of one family's requests of a partner on one day. */
interface RequestDay {
  readonly partnerId: string;
  readonly partnerName: string;
  readonly family: Family;
  readonly registered: number;
  readonly issued: number;
  readonly refused: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly times: { readonly [kind in 'outcome' | 'certificate' | 'review']?: Histogram };
}

interface MonthParams {
  /** Month as `yyyy-MM`. */
  readonly month: string;
  readonly partnerId: string | null;
  readonly afterId: string | null;
  readonly limit: number;
}

const readDays = statement<MonthParams, RequestDay>({
  name: 'read-request-days',
  sql: `
with shown as (
  select id, name from partner
  where (:partnerId::uuid is null or id = :partnerId) and (:afterId::uuid is null or id > :afterId)
    and exists (select from request_day where partner_id = partner.id
      and day >= (:month || '-01')::date and day < (:month || '-01')::date + interval '1 month')
  order by id limit :limit
)
select shown.id as "partnerId", shown.name as "partnerName", family, registered, issued, refused, cancelled, expired, times
from shown join request_day on request_day.partner_id = shown.id
  and day >= (:month || '-01')::date and day < (:month || '-01')::date + interval '1 month'
order by shown.id, day`,
});

const readAge = statement<Pick<MonthParams, 'month'>, { readonly asOf: Date | string | null }>({
  name: 'read-age-of-days',
  sql: `select min(computed_at) as "asOf" from request_day_computed
    where day >= (:month || '-01')::date and day < (:month || '-01')::date + interval '1 month'`,
});

export interface PartnerDays {
  readonly partnerId: string;
  readonly partnerName: string;
  readonly days: readonly RequestDay[];
}

export interface PartnersMonth {
  readonly month: string;
  /** One more than requested if there are more. */
  readonly partners: readonly PartnerDays[];
  readonly asOf: string | null;
}

interface MonthQuery {
  readonly month?: string | undefined;
  readonly partnerId?: string | undefined;
  readonly afterId: string | undefined;
  readonly limit: number;
}

/**
 * Reads the days of a month, by partner in the order of ids. Today is counted first, so the cost is that of
 * the month's days.
 */
export async function readMonth(
  { database, clock, timeZone }: Pick<DeskDeps, 'database' | 'clock' | 'timeZone'>,
  query: MonthQuery,
): Promise<PartnersMonth> {
  const now = clock();
  const today = formatLocalDate(now, timeZone);
  const month = query.month ?? today.slice(0, 7);
  if (today.startsWith(month)) await countDay(database, { now, timeZone, day: today });
  const partners = await readPartners(database, {
    month,
    partnerId: query.partnerId ?? null,
    afterId: query.afterId ?? null,
    limit: query.limit + 1,
  });
  const [age] = await readAge.run(database, { month });
  return { month, partners, asOf: age?.asOf ? new Date(age.asOf).toISOString() : null };
}

async function readPartners(target: StatementTarget, params: MonthParams): Promise<PartnerDays[]> {
  const rows = await readDays.run(target, params);
  return [...Map.groupBy(rows, ({ partnerId }) => partnerId)].map(([partnerId, days]) => ({
    partnerId,
    partnerName: days[0]?.partnerName ?? '',
    days,
  }));
}
