import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { parseDateTime } from '@rubrica/process';

/**
 * Reads the end of an appointment. A date without a time lasts to the end of its day in `timeZone`.
 * @returns undefined where the text is no moment of the calendar
 */
export function parseAppointmentEnd(text: string, timeZone: string): Date | undefined {
  const moment = parseDateTime(text, timeZone);
  const isDateOnly = !text.includes(':');
  return moment && isDateOnly ? new Date(moment.getTime() + DAY_MS - 1) : moment;
}
