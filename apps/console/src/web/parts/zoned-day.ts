/**
 * Returns the start of a day in a time zone.
 * @param day `yyyy-MM-dd`
 * @param plusDays days to add: a search up to a day includes all of it
 * @returns ISO 8601 in UTC; undefined for an invalid `day`
 */
export function getStartOfDay(day: string | undefined, timeZone: string, plusDays = 0): string | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const utc = Date.parse(`${day}T00:00:00Z`) + plusDays * 86_400_000;
  if (Number.isNaN(utc)) return undefined;
  // Computed twice: the offset depends on the resulting hour.
  const first = utc - offsetMs(utc, timeZone);
  return new Date(utc - offsetMs(first, timeZone)).toISOString();
}

/** Returns the offset of local time from UTC. */
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
  const getPart = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(
      getPart('year'),
      getPart('month') - 1,
      getPart('day'),
      getPart('hour'),
      getPart('minute'),
      getPart('second'),
    ) -
    Math.floor(at / 1_000) * 1_000
  );
}
