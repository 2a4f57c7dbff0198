import { usePreferences } from './preferences.tsx';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** 24-hour clock in both languages, so that columns of times are easy to scan. */
const hourCycle = 'h23';

/** Returns formatters for instants, in `TIME_ZONE` and the operator's language. */
export function useDates() {
  const { language, timeZone } = usePreferences();
  const locale = language === 'es' ? 'es-EC' : 'en-GB';
  return {
    /** Formats as 23 Nov 2026, 11:04. */
    short(at: string): string {
      return new Intl.DateTimeFormat(locale, {
        timeZone,
        hourCycle,
        dateStyle: 'medium',
        timeStyle: 'short',
      }).format(new Date(at));
    },
    day(at: string): string {
      return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' }).format(new Date(at));
    },
    /** Formats with seconds and zone, followed by the original value. */
    exact(at: string): string {
      const text = new Intl.DateTimeFormat(locale, {
        timeZone,
        hourCycle,
        dateStyle: 'full',
        timeStyle: 'long',
      }).format(new Date(at));
      return `${text} · ${at}`;
    },
    /** Formats a duration, past or future: 3 h, 2 d. */
    age(milliseconds: number): string {
      const size = Math.abs(milliseconds);
      const [unit, length] =
        size >= day
          ? (['day', day] as const)
          : size >= hour
            ? (['hour', hour] as const)
            : size >= minute
              ? (['minute', minute] as const)
              : (['second', second] as const);
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(
        Math.floor(size / length),
      );
    },
    number(value: number): string {
      return new Intl.NumberFormat(locale).format(value);
    },
  };
}
