import { DAY_MS } from '@rubrica/contracts/shared/durations';

/** A deadline as the request sees it: it is kept by the real clock, and the sandbox may have advanced the request's. */
export function shownDeadline(at: Date, { advancedDays }: { readonly advancedDays: number }): Date {
  return new Date(at.getTime() + advancedDays * DAY_MS);
}
