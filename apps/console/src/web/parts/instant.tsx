import { useDates } from '../texts/dates.ts';

/** Renders a date in `TIME_ZONE`, with the exact instant on hover. */
export function Instant({ at, dayOnly = false }: { readonly at: string | null; readonly dayOnly?: boolean }) {
  const dates = useDates();
  if (at === null) return <span aria-hidden="true">–</span>;
  return (
    <time dateTime={at} title={dates.exact(at)}>
      {dayOnly ? dates.day(at) : dates.short(at)}
    </time>
  );
}

/** Renders the time since or until an instant; the date on hover. */
export function Age({ since }: { readonly since: string }) {
  const dates = useDates();
  return (
    <time dateTime={since} title={dates.exact(since)}>
      {dates.age(Date.now() - Date.parse(since))}
    </time>
  );
}
