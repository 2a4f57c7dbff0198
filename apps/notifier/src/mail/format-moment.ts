import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';

type Language = messagesContract.OutgoingMessage['language'];

const locales: Readonly<Record<Language, string>> = { es: 'es-EC', en: 'en-GB' };

const styles = {
  moment: { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' },
  day: { dateStyle: 'long' },
  time: { timeStyle: 'short', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type Format = (instant: string, language: Language, timeZone: string) => string;

/** A day and its time, written out: `9 de enero de 2027, 23:30`. */
export const formatMoment = formatIn('moment');

/** The day alone, written out. */
export const formatDay = formatIn('day');

/** The time of day alone, for what ends within minutes: `23:30`. */
export const formatTime = formatIn('time');

/** A formatter takes longer to make than to use, so each is made once: there are two languages and the service's one time zone. */
function formatIn(style: keyof typeof styles): Format {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (instant, language, timeZone) => {
    const key = `${language} ${timeZone}`;
    const formatter =
      made.get(key) ?? new Intl.DateTimeFormat(locales[language], { ...styles[style], timeZone });
    made.set(key, formatter);
    return formatter.format(new Date(instant));
  };
}
