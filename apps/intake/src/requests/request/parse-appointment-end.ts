import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { parseDateTime } from '@rubrica/process/time';

/**
 * Parses the end of an appointment. A date without a time lasts to the end of its day in `timeZone`.
 * @returns undefined if the text is no date of the calendar
 */
export function parseAppointmentEnd(text: string, timeZone: string): Date | undefined {
  const moment = parseDateTime(text, timeZone);
  const isDateOnly = !text.includes(':');
  return moment && isDateOnly ? new Date(moment.getTime() + DAY_MS - 1) : moment;
}
