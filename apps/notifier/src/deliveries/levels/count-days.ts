import {
  bucketSql,
  dayBegins,
  dayEnds,
  dueDaySql,
  namedDaySql,
  noteDaySql,
} from '@rubrica/database/day-rows';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';
import type { Clock } from '@rubrica/process/time';

const days = {
  computed: 'delivery_day_computed',
  first: 'select created_at from delivery order by id limit 1',
  // An event is open for some days. A later resend counts for those days.
  finalAfterDays: 14,
} as const;

/** Builds SQL for the lowest UUID v7 of an instant. */
function lowestId(instant: string): string {
  return `(lpad(to_hex(floor(extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;
}

const durationMs = `extract(epoch from delivered_at - occurred_at) * 1000`;

function countSql(due: string): string {
  return `
with due as materialized (${due}),
cohort as materialized (
  select due.day, partner_id, state, attempts, ${bucketSql(durationMs)} as bucket
  from due cross join lateral (
    select * from delivery where id >= ${lowestId(dayBegins)} and id < ${lowestId(dayEnds)} offset 0
  ) as delivery
),
days as (
  insert into delivery_day (day, partner_id, webhooks, delivered, at_first_attempt, times)
  select day, partner_id, count(*), count(*) filter (where state = 'DELIVERED'),
    count(*) filter (where state = 'DELIVERED' and attempts = 1), coalesce((
      select jsonb_object_agg(bucket, times) from (
        select bucket, count(*) as times from cohort as one
        where one.partner_id = cohort.partner_id and state = 'DELIVERED' and bucket is not null group by bucket
      ) as buckets), '{}')
  from cohort group by day, partner_id
  on conflict (day, partner_id) do update set webhooks = excluded.webhooks, delivered = excluded.delivered,
    at_first_attempt = excluded.at_first_attempt, times = excluded.times
)
${noteDaySql(days)}`;
}

interface CountParams {
  readonly now: Date;
  readonly timeZone: string;
}

const countDue = statement<CountParams>({ name: 'count-due-day', sql: countSql(dueDaySql(days)) });
const countNamed = statement<CountParams & { readonly day: string }>({
  name: 'count-named-day',
  sql: countSql(namedDaySql(days)),
});

/** Creates the task that counts one day after another, until none is missing or outdated. */
export function countDays(clock: Clock, timeZone: string): SweeperTask {
  return {
    name: countDue.name,
    text: countDue.text,
    batchRows: 1,
    get params() {
      return countDue.bind({ now: clock(), timeZone }).params;
    },
  };
}

/**
 * Counts one day.
 * @param day `yyyy-MM-dd` in the time zone of the deployment
 */
export async function countDay(
  target: StatementTarget,
  counting: CountParams & { readonly day: string },
): Promise<void> {
  await countNamed.run(target, counting);
}
