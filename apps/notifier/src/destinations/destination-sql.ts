import { statement } from '@rubrica/database';

/**
 * A streak of failures ends with a success, or with a silence longer than this: a partner with one event a week,
 * each of which met a short outage, has not failed for months. Longer than any wait of the schedule.
 */
const longestSilence = `interval '48 hours'`;
/** How often a failure that changes nothing is written down. */
const noteEvery = `interval '10 minutes'`;

/** Outcomes that do not count for the destination: the fault was ours, or nothing was left to send. */
const saysNothing = `('NOT_SENT', 'PAYLOAD_EXPIRED')`;

const lapsed = `n.last_failed_at < now() - ${longestSilence}`;
const isDue = `(n.state <> 'DISABLED' and not ${lapsed}
      and n.counted_from <= now() - :disableAfterHours::int * interval '1 hour')`;

/** What the statement that records attempts is told of destinations. */
export interface DestinationParams {
  /** How long a destination may only fail. */
  readonly disableAfterHours: number;
  /** An operator is told by mail, too. */
  readonly alertsOperator: boolean;
}

/**
 * Common table expressions that keep the book of destinations in the statement that records attempts (`ended`:
 * id, outcome). `recovered` are those that work again, `disabled` those disabled now; the notices about both are
 * rows of the same commit, so that no crash loses or doubles one. What works and worked writes nothing.
 *
 * Measured by the database's clock, over all copies.
 */
export const destinationCtes = `
seen as (
  select d.partner_id, d.destination, bool_or(e.outcome = 'ACKNOWLEDGED') as works
  from ended e join delivery d on d.id = e.id
  where e.outcome not in ${saysNothing}
  group by d.partner_id, d.destination
), recovered as (
  delete from endpoint n using seen s
  where s.works and n.partner_id = s.partner_id and n.destination = s.destination
  returning n.*
), failing as (
  insert into endpoint as n (partner_id, destination)
  select s.partner_id, s.destination from seen s
  left join endpoint n on n.partner_id = s.partner_id and n.destination = s.destination
  where not s.works and (n.id is null or n.last_failed_at < now() - ${noteEvery} or ${isDue})
  order by s.partner_id, s.destination
  on conflict (partner_id, destination) do update set
    last_failed_at = now(),
    counted_from = case when ${lapsed} then now() else n.counted_from end,
    failing_since = case when ${lapsed} and n.state = 'FAILING' then now() else n.failing_since end,
    state = case when ${isDue} then 'DISABLED' else n.state end,
    disabled_at = case when ${isDue} then now() else n.disabled_at end
  returning n.*
), disabled as (
  select * from failing where disabled_at = now()
), ${noticeCte(':alertsOperator::boolean')}`;

/** One notice per change: its id is made of what it is about, so that a repeat is the same row. */
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

/** A destination that answered a ping: the same as an acknowledged delivery. */
export const noteWorking = statement<{ partnerId: string; destination: string }>({
  name: 'note-working-destination',
  sql: `
with recovered as (
  delete from endpoint where partner_id = :partnerId and destination = :destination returning *
), disabled as (
  select * from recovered where false
), ${noticeCte('false')}
select 1 from recovered where state <> 'FAILING'`,
});
