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
import { sweeperTask } from '../../base/sweeper-task.ts';

const days = {
  computed: 'request_day_computed',
  first: 'select created_at from request order by created_at limit 1',
  // A claim waits for up to fifty days, and an error for as long as its window.
  finalAfterDays: 90,
} as const;

/**
 * SQL of the times from registration to the certificate, to the certificate or the refusal, and of each wait
 * for a reviewer. Requests that a partner cancels or nobody finishes have no end of ours.
 */
const timesOfCohort = `
  select cohort.*, kind, (
    select min(at) from timeline where timeline.request_id = cohort.id and timeline.status = cohort.status
  ) - cohort.created_at as took
  from cohort cross join unnest(array['outcome', 'certificate']) as kind
  where status = 'GENERATED' or (status = 'REFUSED' and kind = 'outcome')
  union all
  select cohort.*, 'review', (
    select min(next.at) from timeline as next where next.request_id = cohort.id and next.id > asked.id
      and (next.status <> 'VALIDATING' or next.validation_status <> 'MANUALLY_VALIDATING')
  ) - asked.at
  from cohort join timeline as asked on asked.request_id = cohort.id and asked.trigger = 'askForReview'`;

function buildCountSql(due: string): string {
  return `
with due as materialized (${due}),
cohort as materialized (
  select due.day, request.id, partner_id, family, status, created_at
  from due cross join lateral (
    select * from request where created_at >= ${dayBegins} and created_at < ${dayEnds} offset 0
  ) as request
),
counted as (
  select day, partner_id, family, kind, jsonb_object_agg(bucket, times) as histogram from (
    select day, partner_id, family, kind, ${bucketSql('extract(epoch from took) * 1000')} as bucket, count(*) as times
    from (${timesOfCohort}) as measured where took is not null group by 1, 2, 3, 4, 5
  ) as buckets group by 1, 2, 3, 4
),
days as (
  insert into request_day (day, partner_id, family, registered, issued, refused, cancelled, expired, times)
  select day, partner_id, family, count(*), count(*) filter (where status = 'GENERATED'),
    count(*) filter (where status = 'REFUSED'), count(*) filter (where status = 'CANCELLED'),
    count(*) filter (where status = 'EXPIRED'), coalesce((
      select jsonb_object_agg(kind, histogram) from counted
      where (counted.day, counted.partner_id, counted.family) = (cohort.day, cohort.partner_id, cohort.family)), '{}')
  from cohort group by day, partner_id, family
  on conflict (day, partner_id, family) do update set registered = excluded.registered, issued = excluded.issued,
    refused = excluded.refused, cancelled = excluded.cancelled, expired = excluded.expired, times = excluded.times
)
${noteDaySql(days)}`;
}

interface CountParams {
  readonly now: Date;
  readonly timeZone: string;
}

const countDue = statement<CountParams>({ name: 'count-due-day', sql: buildCountSql(dueDaySql(days)) });
const countNamed = statement<CountParams & { readonly day: string }>({
  name: 'count-named-day',
  sql: buildCountSql(namedDaySql(days)),
});

/** Counts one day after the other, until none is missing or outdated. */
export function countDays(clock: Clock, timeZone: string): SweeperTask {
  return sweeperTask(countDue, { batchRows: 1, params: () => ({ now: clock(), timeZone }) });
}

/** @param params with `day` as `yyyy-MM-dd` in the time zone of the deployment */
export async function countDay(
  target: StatementTarget,
  params: CountParams & { readonly day: string },
): Promise<void> {
  await countNamed.run(target, params);
}
