import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { type Database, statement } from '@rubrica/database';

export type RegistrationTrend = OperatorOutput<'overview'>['trend'];

/** As much as is counted for a first look; of a busier month the oldest days are missing. */
const mostCounted = 100_000;

interface Row {
  readonly unit: 'hours' | 'days';
  /** Text, as raw SQL gives it. */
  readonly at: string;
  readonly registered: number;
}

/** Along the index by time of registration, without a look at a row. */
const countByTime = statement<{ readonly timeZone: string }, Row>({
  name: 'registration-trend',
  sql: `
with recent as materialized (
  select created_at from request where created_at > now() - interval '31 days'
  order by created_at desc limit ${mostCounted}
), slots as (
  select 'hours' as unit, at from generate_series(
    date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), interval '1 hour') as at
  union all
  select 'days', at at time zone :timeZone::text from generate_series(
    date_trunc('day', now() at time zone :timeZone::text) - interval '29 days',
    date_trunc('day', now() at time zone :timeZone::text), interval '1 day') as at
), counted as (
  select 'hours' as unit, date_trunc('hour', created_at) as at, count(*) as registered from recent group by 2
  union all
  select 'days', date_trunc('day', created_at at time zone :timeZone::text) at time zone :timeZone::text, count(*)
  from recent group by 2
)
select unit, at, coalesce(registered, 0)::int as registered from slots left join counted using (unit, at) order by at`,
});

/** Registrations of the last 24 hours by the hour, and of the last 30 days by the day where the deployment is. */
export async function registrationTrend(
  database: Pick<Database, 'statement'>,
  timeZone: string,
): Promise<RegistrationTrend> {
  const rows = await countByTime.run(database, { timeZone });
  const of = (wanted: Row['unit']) =>
    rows
      .filter(({ unit }) => unit === wanted)
      .map(({ at, registered }) => ({ from: new Date(at).toISOString(), registered }));
  return { hours: of('hours'), days: of('days') };
}
