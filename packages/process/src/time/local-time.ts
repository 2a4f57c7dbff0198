import { canonicalDateTime } from '@rubrica/contracts/shared/date-time';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { LRUCache } from 'lru-cache';

const quarterHourMs = 15 * MINUTE_MS;

// Formatting through Intl costs microseconds per date; the offset changes at quarter hours at most.
const offsetFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 16 });
const offsetsMs = new LRUCache<string, number>({ max: 256 });

/** Formats as `yyyy-MM-dd HH:mm:ss`, the form of `createdAt` and of an error's `timestamp`. */
export function formatTimestamp(instant: Date, timeZone: string): string {
  const text = formatShifted(instant, timeZone);
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** Formats as ISO 8601 without zone, with milliseconds: the form of every other date-time in public answers. */
export function formatLocalDateTime(instant: Date, timeZone: string): string {
  return formatShifted(instant, timeZone).slice(0, 23);
}

/** Formats as `yyyy-MM-dd`, for instance to find the applicant's present day. */
export function formatLocalDate(instant: Date, timeZone: string): string {
  return formatShifted(instant, timeZone).slice(0, 10);
}

/**
 * Parses a date or a date-time in any form of `dateTimePattern`; without a zone it is in `timeZone`, and a date means
 * its first instant.
 *
 * @returns undefined if the text has none of the forms, or names a day that does not exist
 */
export function parseDateTime(text: string, timeZone: string): Date | undefined {
  const canonical = canonicalDateTime(text);
  if (canonical === undefined) return undefined;
  const day = canonical.slice(0, 10);
  const [, time = '00:00:00', zone] = /^.([\d:.]{1,12})(.*)$/.exec(canonical.slice(10)) ?? [];
  const wall = new Date(`${day}T${time}Z`);
  if (Number.isNaN(wall.getTime()) || wall.toISOString().slice(0, 10) !== day) return undefined;
  if (zone) return new Date(`${day}T${time}${zone}`);
  // The first guess may lie on the other side of a change of offset; the second is computed at the guess.
  const guess = wall.getTime() - zoneOffsetMs(wall, timeZone);
  return new Date(wall.getTime() - zoneOffsetMs(new Date(guess), timeZone));
}

/** Returns how far the zone's clocks are ahead of UTC at that instant, in ms. */
export function zoneOffsetMs(instant: Date, timeZone: string): number {
  const key = `${timeZone} ${Math.floor(instant.getTime() / quarterHourMs)}`;
  const known = offsetsMs.get(key);
  if (known !== undefined) return known;
  const offset = computeOffsetMs(instant, timeZone);
  offsetsMs.set(key, offset);
  return offset;
}

function formatShifted(instant: Date, timeZone: string): string {
  return new Date(instant.getTime() + zoneOffsetMs(instant, timeZone)).toISOString();
}

function computeOffsetMs(instant: Date, timeZone: string): number {
  let format = offsetFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    offsetFormats.set(timeZone, format);
  }
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
  if (!match?.[1]) return 0;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const sizeMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -sizeMs : sizeMs;
}
