import { failedResult, ok, type Result } from '../result.ts';

/** Calendar length of each period that a partner may request. */
export const validityPeriods = {
  ONE_WEEK: { days: 7, months: 0 },
  ONE_MONTH: { days: 0, months: 1 },
  ONE_YEAR: { days: 0, months: 12 },
  TWO_YEARS: { days: 0, months: 24 },
  THREE_YEARS: { days: 0, months: 36 },
  FOUR_YEARS: { days: 0, months: 48 },
  FIVE_YEARS: { days: 0, months: 60 },
} as const;
export type ValidityPeriod = keyof typeof validityPeriods;

export type Validity = {
  notBefore: Date;
  /** Last second in which the certificate is valid (RFC 5280 §4.1.2.5: the end is included). */
  notAfter: Date;
  /** End according to the period alone. */
  requestedNotAfter: Date;
  /** Cause of an earlier end, if any. */
  cappedBy: 'ISSUER' | 'APPOINTMENT' | null;
};

export type ValidityFault = { code: 'NO_VALIDITY_LEFT'; cappedBy: 'ISSUER' | 'APPOINTMENT' };

/**
 * Computes the validity of a certificate issued `now`, with calendar arithmetic on the wall clock of `timeZone` (IANA
 * name). The day is clamped to the month's last one (29 February plus a year is 28 February). The end is one second
 * before the anniversary. It is capped by the issuer's own end and, for a representative, by the end of the
 * appointment.
 */
export function subscriberValidity(input: {
  period: ValidityPeriod;
  now: Date;
  timeZone: string;
  issuerNotAfter: Date;
  appointmentEndsAt?: Date | undefined;
}): Result<Validity, ValidityFault> {
  const notBefore = wholeSecond(input.now);
  const requestedNotAfter = periodEnd(input.period, notBefore, input.timeZone);
  const { issuerNotAfter, appointmentEndsAt } = input;
  let notAfter = requestedNotAfter;
  let cappedBy: Validity['cappedBy'] = null;
  if (issuerNotAfter < notAfter) [notAfter, cappedBy] = [wholeSecond(issuerNotAfter), 'ISSUER'];
  if (appointmentEndsAt && appointmentEndsAt < notAfter) {
    [notAfter, cappedBy] = [wholeSecond(appointmentEndsAt), 'APPOINTMENT'];
  }
  if (cappedBy !== null && notAfter <= notBefore) return failedResult({ code: 'NO_VALIDITY_LEFT', cappedBy });
  return ok({ notBefore, notAfter, requestedNotAfter, cappedBy });
}

/** Returns the last second of a period that begins at `from`, uncapped. */
export function periodEnd(period: ValidityPeriod, from: Date, timeZone: string): Date {
  const anniversary = addCalendar(wholeSecond(from), validityPeriods[period], timeZone);
  return new Date(anniversary.getTime() - 1000);
}

/** Computes the validity of an authority's own certificate, capped by the one above it. */
export function authorityValidity(input: { years: number; now: Date; issuerNotAfter?: Date | undefined }): {
  notBefore: Date;
  notAfter: Date;
} {
  return cappedValidity({ ...input, length: { days: 0, months: input.years * 12 } });
}

/** Computes the validity of an OCSP responder's certificate, capped by its authority's. */
export function responderValidity(input: { days: number; now: Date; issuerNotAfter: Date }): {
  notBefore: Date;
  notAfter: Date;
} {
  return cappedValidity({ ...input, length: { days: input.days, months: 0 } });
}

function cappedValidity(input: {
  length: { days: number; months: number };
  now: Date;
  issuerNotAfter?: Date | undefined;
}): { notBefore: Date; notAfter: Date } {
  const notBefore = wholeSecond(input.now);
  const end = addCalendar(notBefore, input.length, 'UTC').getTime() - 1000;
  return { notBefore, notAfter: new Date(Math.min(end, input.issuerNotAfter?.getTime() ?? end)) };
}

/** Drops fractions of a second, which certificates do not have. */
function wholeSecond(date: Date) {
  return new Date(Math.floor(date.getTime() / 1000) * 1000);
}

/** Adds a calendar length to `date` on the wall clock of `timeZone`. */
export function addCalendar(date: Date, length: { days: number; months: number }, timeZone: string): Date {
  const wall = new Date(date.getTime() + zoneOffsetMs(date, timeZone));
  const day = wall.getUTCDate();
  const moved = new Date(wall);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + length.months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay) + length.days);
  // The offset may differ at the far end; one correction settles it outside the hour that a clock change skips.
  const guess = new Date(moved.getTime() - zoneOffsetMs(date, timeZone));
  return new Date(moved.getTime() - zoneOffsetMs(guess, timeZone));
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();
const quarterHourMs = 15 * 60_000;

/**
 * Returns the offset of the zone, cached. `Intl` takes 20 microseconds to compute it; offsets change at quarter hours
 * at most, and most dates are of today.
 */
function zoneOffsetMs(date: Date, timeZone: string): number {
  const key = `${timeZone} ${Math.floor(date.getTime() / quarterHourMs)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= 256) offsets.clear();
  const offset = computeOffsetMs(date, timeZone);
  offsets.set(key, offset);
  return offset;
}

function computeOffsetMs(date: Date, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const part = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const wall = Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day ?? 1,
    part.hour ?? 0,
    part.minute ?? 0,
    part.second ?? 0,
  );
  return wall - Math.floor(date.getTime() / 1000) * 1000;
}
