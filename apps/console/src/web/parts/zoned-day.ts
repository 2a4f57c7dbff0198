/**
 * When a day begins in a time zone.
 *
 * @param day `yyyy-MM-dd`
 * @param plusDays Later by this many days: a search up to a day takes the whole of it.
 * @returns ISO 8601 in UTC; undefined where `day` is none
 */
export function startOfDay(day: string | undefined, timeZone: string, plusDays = 0): string | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const utc = Date.parse(`${day}T00:00:00Z`) + plusDays * 86_400_000;
  if (Number.isNaN(utc)) return undefined;
  // Twice: the offset at that hour is known only once the hour is.
  const first = utc - offsetMs(utc, timeZone);
  return new Date(utc - offsetMs(first, timeZone)).toISOString();
}

/** How far local time is ahead of UTC. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) -
    Math.floor(at / 1_000) * 1_000
  );
}
