export interface DayRows {
  /** Table of the days that were counted: `day`, `computed_at`. */
  readonly computed: string;
  /** SQL for the time of the first counted event; null if there is none. */
  readonly first: string;
  /** Days after which the figures of a day no longer change. */
  readonly finalAfterDays: number;
}

/** Start of the day, and of the next day, in the parameter `timeZone`. */
export const dayBegins = '(due.day::timestamp at time zone :timeZone::text)';
export const dayEnds = '((due.day + 1)::timestamp at time zone :timeZone::text)';

/**
 * Builds SQL for the newest day that is not counted, or whose count is too old. A count may be an hour old for today
 * and yesterday, and a day for other days that may still change. Reads the parameters `now` and `timeZone`.
 */
export function dueDaySql({ computed, first, finalAfterDays }: DayRows): string {
  const today = '(:now::timestamptz at time zone :timeZone::text)::date';
  return `
  select one.day from (
    select day::date from generate_series(
      ((${first}) at time zone :timeZone::text)::date, ${today}, interval '1 day') as day
  ) as one left join ${computed} as counted on counted.day = one.day
  where counted.computed_at is null or (
    counted.computed_at < (one.day::timestamp at time zone :timeZone::text) + interval '${finalAfterDays} days'
    and counted.computed_at < :now::timestamptz
      - case when one.day >= ${today} - 1 then interval '1 hour' else interval '1 day' end
  )
  order by one.day desc limit 1`;
}

/**
 * Builds SQL for one day, unless it was counted within the last seconds: for queries about today. Reads `now` and
 * `day`.
 */
export function namedDaySql({ computed }: Pick<DayRows, 'computed'>): string {
  return `
  select :day::date as day where not exists (
    select from ${computed} where day = :day::date and computed_at > :now::timestamptz - interval '10 seconds')`;
}

/** Builds SQL that records the day of `due` as counted; returns one row for it. */
export function noteDaySql({ computed }: Pick<DayRows, 'computed'>): string {
  return `
insert into ${computed} (day, computed_at) select day, :now::timestamptz from due
on conflict (day) do update set computed_at = excluded.computed_at
returning day::text`;
}
