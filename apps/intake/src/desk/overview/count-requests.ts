import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import {
  type Family,
  families,
  type Status,
  statuses,
  validationStatuses,
} from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { isTerminal } from '../../requests/request/state-machine.ts';

/** Maximum counted of each group: a state of a busy year is not counted to its end for an overview. */
export const maxCountedRequests = 100_000;

export type RegistrationTrend = OperatorOutput<'overview'>['trend'];

export interface RequestCounts {
  /** Requests that have not ended, and ended ones that were registered within 30 days. */
  readonly requests: Readonly<Record<Status, number>>;
  /** False if some group has more requests than are counted. */
  readonly isComplete: boolean;
  readonly oldestUnfinishedAt: string | null;
  readonly trend: RegistrationTrend;
}

/** Row of a state. Instants are text, as raw SQL returns them. */
interface StateRow {
  readonly status: Status;
  readonly count: number;
  /** Number of them registered within 30 days. */
  readonly young: number;
  readonly isComplete: boolean;
  readonly oldest: string | null;
}

interface Slot {
  readonly unit: 'hours' | 'days';
  readonly at: string;
  readonly registered: number;
}

interface CountRow {
  readonly states: readonly StateRow[];
  readonly slots: readonly Slot[];
  /**
   * Registrations within 30 days, but before the first day of the trend, or after the last one where the
   * clocks differ.
   */
  readonly outside: number;
}

interface StateFilter {
  readonly families: readonly Family[];
  readonly statuses: readonly Status[];
  readonly validationStatuses: readonly string[];
  readonly ended: readonly Status[];
}

const ended = statuses.filter(isTerminal);
const everyState: StateFilter = { families, statuses, validationStatuses, ended };
/** Final state of nine tenths of all requests. */
const usualStatus: Status = 'GENERATED';
const allButUsualStatus: StateFilter = {
  ...everyState,
  statuses: statuses.filter((status) => status !== usualStatus),
};

/** Counts along an index that holds both statuses and the time, without reading a row. */
const statesSql = `
  select status, sum(count)::int as count, sum(young)::int as young, bool_and(count < ${maxCountedRequests}) as "isComplete",
    min(oldest) filter (where status <> all(:ended::text[])) as oldest
  from unnest(:families::text[]) as f (family) cross join unnest(:statuses::text[]) as s (status)
    cross join unnest(:validationStatuses::text[]) as v (validation_status)
    cross join lateral (
      select count(*) as count, count(*) filter (where created_at > now() - interval '30 days') as young,
        min(created_at) as oldest
      from (
        select created_at from request
        where request.family = f.family and request.status = s.status
          and request.validation_status = v.validation_status
          and created_at > case when s.status = any(:ended::text[]) then now() - interval '30 days' else '-infinity' end
        order by created_at limit ${maxCountedRequests}
      ) as one
    ) as counted
  group by status`;

const countStates = statement<StateFilter, StateRow>({ name: 'count-by-status', sql: statesSql });

/**
 * Counts everything. A past day was counted for the reports, and its registrations do not change: a call at
 * its end is committed within five minutes. Other days and the hours are counted along the index by time.
 */
const countAll = statement<StateFilter & { readonly timeZone: string }, CountRow>({
  name: 'count-requests',
  sql: `
with slots as materialized (
  select 'hours' as unit, at, at + interval '1 hour' as until, null::date as day
  from generate_series(date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), interval '1 hour') as at
  union all
  select 'days', day at time zone :timeZone::text, (day + interval '1 day') at time zone :timeZone::text, day::date
  from generate_series(date_trunc('day', now() at time zone :timeZone::text) - interval '29 days',
    date_trunc('day', now() at time zone :timeZone::text), interval '1 day') as day
),
filled as (
  select unit, at, coalesce(reported.registered, counted.registered)::int as registered
  from slots left join lateral (
    select (select coalesce(sum(registered), 0) from request_day where request_day.day = slots.day) as registered
    from request_day_computed as c
    where c.day = slots.day and c.computed_at between slots.until + interval '5 minutes' and now()
  ) as reported on true
  cross join lateral (
    select count(*) as registered from (
      select from request where reported.registered is null and created_at >= slots.at and created_at < slots.until
      limit ${maxCountedRequests}
    ) as one
  ) as counted
),
states as (${statesSql})
select
  (select json_agg(states) from states) as states,
  (select json_agg(filled order by at) from filled) as slots,
  (select count(*) from (
    (select from request
    where created_at > now() - interval '30 days' and created_at < (select min(at) from slots where unit = 'days')
    limit ${maxCountedRequests})
    union all
    (select from request where created_at >= (select max(until) from slots where unit = 'days') limit ${maxCountedRequests})
  ) as one)::int as outside`,
});

/**
 * Counts in one statement, so at one moment. Requests issued within 30 days are those registered less those
 * in another state: the latter are few, and the days are counted already. The usual state is counted only if
 * some group exceeds the maximum.
 */
export async function countRequests(
  database: Pick<Database, 'statement'>,
  timeZone: string,
): Promise<RequestCounts> {
  const [counted] = await countAll.run(database, { ...allButUsualStatus, timeZone });
  const { states, slots, outside } = counted as CountRow;
  const isComplete =
    states.every((state) => state.isComplete) &&
    outside < maxCountedRequests &&
    slots.every(({ registered }) => registered < maxCountedRequests);
  const all = isComplete
    ? [...states, deriveUsualState(counted as CountRow)]
    : await countStates.run(database, everyState);
  const counts = new Map(all.map(({ status, count }) => [status, count]));
  const oldest = all.flatMap((row) => (row.oldest === null ? [] : Date.parse(row.oldest)));
  return {
    requests: Object.fromEntries(statuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
      Status,
      number
    >,
    isComplete: all.every((state) => state.isComplete),
    oldestUnfinishedAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)).toISOString(),
    trend: { hours: toTrend(slots, 'hours'), days: toTrend(slots, 'days') },
  };
}

function deriveUsualState({ states, slots, outside }: CountRow): StateRow {
  const registered = slots
    .filter(({ unit }) => unit === 'days')
    .reduce((sum, day) => sum + day.registered, outside);
  const count = states.reduce((left, { young }) => left - young, registered);
  return { status: usualStatus, count, young: count, isComplete: true, oldest: null };
}

function toTrend(slots: readonly Slot[], requested: Slot['unit']): RegistrationTrend['days'] {
  return slots
    .filter(({ unit }) => unit === requested)
    .map(({ at, registered }) => ({ from: new Date(at).toISOString(), registered }));
}
