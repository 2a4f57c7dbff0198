import { usePreferences } from './preferences.tsx';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** 14:36 in both languages: columns of times are read from above to below. */
const hourCycle = 'h23';

/** How instants are written for this operator: in `TIME_ZONE`, in the operator's language. */
export function useDates() {
  const { language, timeZone } = usePreferences();
  const locale = language === 'es' ? 'es-EC' : 'en-GB';
  return {
    /** 23 Nov 2026, 11:04 */
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
    /** With seconds and zone, and as it was given. */
    exact(at: string): string {
      const text = new Intl.DateTimeFormat(locale, {
        timeZone,
        hourCycle,
        dateStyle: 'full',
        timeStyle: 'long',
      }).format(new Date(at));
      return `${text} · ${at}`;
    },
    /** 3 h, 2 d: how long ago, or ahead. */
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
