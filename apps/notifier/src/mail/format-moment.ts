import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';

type Language = messagesContract.OutgoingMessage['language'];

const locales: Readonly<Record<Language, string>> = { es: 'es-EC', en: 'en-GB' };

/** A day and its time, written out: `9 de enero de 2027, 23:30`. */
export function formatMoment(instant: string, language: Language, timeZone: string): string {
  return format(instant, { locale: locales[language], dateStyle: 'long', timeZone });
}

/** The day alone, written out. */
export function formatDay(instant: string, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone }).format(
    new Date(instant),
  );
}

/** The time of day alone, for what ends within minutes: `23:30`. */
export function formatTime(instant: string, language: Language, timeZone: string): string {
  return format(instant, { locale: locales[language], timeZone });
}

function format(
  instant: string,
  { locale, dateStyle, timeZone }: { locale: string; dateStyle?: 'long'; timeZone: string },
): string {
  const style = { timeStyle: 'short', hourCycle: 'h23', timeZone, ...(dateStyle && { dateStyle }) } as const;
  return new Intl.DateTimeFormat(locale, style).format(new Date(instant));
}
