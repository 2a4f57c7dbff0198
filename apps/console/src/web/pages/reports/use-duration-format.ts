import { useDates } from '../../texts/dates.ts';

/** Formats seconds for people: 0.4 s, 3 min, 2 d. */
export function useDurationFormat(): (seconds: number) => string {
  const { number, age } = useDates();
  return (seconds) => (seconds < 60 ? `${number(Math.round(seconds * 10) / 10)} s` : age(seconds * 1_000));
}
