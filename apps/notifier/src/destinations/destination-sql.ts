import { statement } from '@rubrica/database/statement';

/**
 * Maximum gap in a series of failures. A success or a longer gap ends the series: a partner with one event a week, each
 * in a short outage, has not failed for months. Longer than any delay of the schedule.
 */
const maxGap = `interval '48 hours'`;
/** Interval for recording a failure that changes nothing. */
const recordInterval = `interval '10 minutes'`;

/** Outcomes that do not count for the destination: the fault was internal, or nothing was left to send. */
const uncountedOutcomes = `('NOT_SENT', 'PAYLOAD_EXPIRED')`;

const isLapsed = `n.last_failed_at < now() - ${maxGap}`;
const isDue = `(n.state <> 'DISABLED' and not ${isLapsed}
      and n.counted_from <= now() - :disableAfterHours::int * interval '1 hour')`;

/** Parameters of the statement that records attempts. */
export interface DestinationParams {
  /** Duration of continuous failures before a destination is disabled. */
  readonly disableAfterHours: number;
  /** True if an operator also gets a mail. */
  readonly alertsOperator: boolean;
}

/**
 * Common table expressions that update destinations in the statement that records attempts (`ended`: id, outcome).
 * `recovered` are those that work again, `disabled` those disabled now. The notices about both are rows of the same
 * commit, so that no crash loses or duplicates one. A destination that keeps working writes nothing. Times are those of
 * the database's clock, over all copies.
 */
export const destinationCtesSql = `
seen as (
  select d.partner_id, d.destination, bool_or(e.outcome = 'ACKNOWLEDGED') as works
  from ended e join delivery d on d.id = e.id
  where e.outcome not in ${uncountedOutcomes}
  group by d.partner_id, d.destination
), recovered as (
  delete from endpoint n using seen s
  where s.works and n.partner_id = s.partner_id and n.destination = s.destination
  returning n.*
), failing as (
  insert into endpoint as n (partner_id, destination)
  select s.partner_id, s.destination from seen s
  left join endpoint n on n.partner_id = s.partner_id and n.destination = s.destination
  where not s.works and (n.id is null or n.last_failed_at < now() - ${recordInterval} or ${isDue})
  order by s.partner_id, s.destination
  on conflict (partner_id, destination) do update set
    last_failed_at = now(),
    counted_from = case when ${isLapsed} then now() else n.counted_from end,
    failing_since = case when ${isLapsed} and n.state = 'FAILING' then now() else n.failing_since end,
    state = case when ${isDue} then 'DISABLED' else n.state end,
    disabled_at = case when ${isDue} then now() else n.disabled_at end
  returning n.*
), disabled as (
  select * from failing where disabled_at = now()
), ${noticeCte(':alertsOperator::boolean')}`;

/**
 * Builds the CTE with one notice per change: its id is derived from its content, so that a repetition is the same row.
 */
function noticeCte(alert: string): string {
  return `told as (
  insert into notice (id, kind, partner_id, destination, failing_since)
  select md5(concat_ws(' ', kind, id, extract(epoch from counted_from)))::uuid, kind, partner_id, destination,
    failing_since
  from (
    select 'webhook-disabled' as kind, * from disabled
    union all select 'operator-alert', * from disabled where ${alert}
    union all select 'webhook-recovered', * from recovered where state <> 'FAILING'
  ) news
  on conflict (id) do nothing
)`;
}

/** Records a destination that answered a ping, like an acknowledged delivery. */
export const recordWorking = statement<{ partnerId: string; destination: string }>({
  name: 'note-working-destination',
  sql: `
with recovered as (
  delete from endpoint where partner_id = :partnerId and destination = :destination returning *
), disabled as (
  select * from recovered where false
), ${noticeCte('false')}
select 1 from recovered where state <> 'FAILING'`,
});
