import { checkMessage } from '../error-texts/check-message.ts';

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const minutes = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const seconds = String.raw`:[0-5]\d(?:[.,]\d{1,9})?`;
const offset = String.raw`[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?`;

/**
 * Grammar of ISO 8601 as the libraries of partners write it: .NET, Python, Java, Jackson, PHP and JavaScript. It is the
 * only one for pattern, parser and message. Groups have no names: validators in Python do not read those of JavaScript.
 */
export const dateTimePattern = new RegExp(`^(${day})(?:([Tt ])(${minutes})(${seconds})?(${offset})?)?$`);

export const dateTimeForms = checkMessage('field.dateTime');

/** Detects `2030-12-31T00:00-05:00[America/Guayaquil]`, as Java writes a `ZonedDateTime`. */
export function hasZoneName(text: string): boolean {
  return text.endsWith(']') && text.includes('[');
}

/**
 * Normalises a date or date-time to the form that every release reads: `T`, `Z`, a fraction of at most 3 digits, an
 * offset with colon. It does not check that the day exists in the calendar.
 * @returns undefined if the text has none of the forms
 */
export function canonicalDateTime(text: string): string | undefined {
  const [, date, separator = '', time = '', second = '', zone = ''] = dateTimePattern.exec(text) ?? [];
  if (date === undefined) return undefined;
  const [whole = '', fraction = ''] = second.replace(',', '.').split('.');
  const cut = fraction === '' ? '' : `.${fraction.slice(0, 3)}`;
  return `${date}${separator.toUpperCase()}${time}${whole}${cut}${canonicalOffset(zone)}`;
}

function canonicalOffset(offset: string): string {
  if (!/^[+-]/.test(offset)) return offset.toUpperCase();
  const digits = offset.replace(':', '').padEnd(5, '0');
  return `${digits.slice(0, 3)}:${digits.slice(3)}`;
}
