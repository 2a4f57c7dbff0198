import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';

type Language = messagesContract.OutgoingMessage['language'];

const locales: Readonly<Record<Language, string>> = { es: 'es-EC', en: 'en-GB' };

const styles = {
  moment: { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' },
  day: { dateStyle: 'long' },
  time: { timeStyle: 'short', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type Format = (instant: string, language: Language, timeZone: string) => string;

/** Formats day and time: `9 de enero de 2027, 23:30`. */
export const formatMoment = createFormat('moment');

/** Formats the day. */
export const formatDay = createFormat('day');

/** Formats the time of day, for what expires within minutes: `23:30`. */
export const formatTime = createFormat('time');

/**
 * Creates a formatter function. A formatter costs more to create than to use, so each is cached: there are two
 * languages and one time zone.
 */
function createFormat(style: keyof typeof styles): Format {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (instant, language, timeZone) => {
    const key = `${language} ${timeZone}`;
    const formatter =
      formatters.get(key) ?? new Intl.DateTimeFormat(locales[language], { ...styles[style], timeZone });
    formatters.set(key, formatter);
    return formatter.format(new Date(instant));
  };
}
