import {
  bucketSql,
  dayBegins,
  dayEnds,
  dueDaySql,
  namedDaySql,
  noteDaySql,
  type StatementTarget,
  type SweeperTask,
  statement,
} from '@rubrica/database';
import type { Clock } from '@rubrica/process';

const days = {
  computed: 'delivery_day_computed',
  first: 'select created_at from delivery order by id limit 1',
  // An event is open for some days; one that an operator sends again later counts as of those.
  finalAfterDays: 14,
} as const;

/** The lowest UUID v7 of an instant. */
function lowestId(instant: string): string {
  return `(lpad(to_hex(floor(extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;
}

const took = `extract(epoch from delivered_at - occurred_at) * 1000`;

function counting(due: string): string {
  return `
with due as materialized (${due}),
cohort as materialized (
  select due.day, partner_id, state, attempts, ${bucketSql(took)} as bucket
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

interface Counting {
  readonly now: Date;
  readonly timeZone: string;
}

const countDue = statement<Counting>({ name: 'count-due-day', sql: counting(dueDaySql(days)) });
const countNamed = statement<Counting & { readonly day: string }>({
  name: 'count-named-day',
  sql: counting(namedDaySql(days)),
});

/** One day after the other, until none is missing or old. */
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

/** @param day as `yyyy-MM-dd` where the deployment is */
export async function countDay(
  target: StatementTarget,
  counting: Counting & { readonly day: string },
): Promise<void> {
  await countNamed.run(target, counting);
}
