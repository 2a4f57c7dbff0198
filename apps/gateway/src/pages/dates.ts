import type { Language } from '../context.ts';

const styles = {
  day: { dateStyle: 'long' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Formats an instant for applicants, in the service's time zone. */
export function formatDate(
  instant: string,
  { language, timeZone }: { readonly language: Language; readonly timeZone: string },
  style: keyof typeof styles,
): string {
  const locale = language === 'es' ? 'es-EC' : 'en-GB';
  return new Intl.DateTimeFormat(locale, { ...styles[style], timeZone }).format(new Date(instant));
}
