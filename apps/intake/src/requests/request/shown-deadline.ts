import { DAY_MS } from '@rubrica/contracts/shared/durations';

/**
 * Converts a deadline to the clock of the request: it is enforced by the real clock, and the sandbox may have
 * advanced the request's.
 */
export function toShownDeadline(at: Date, { advancedDays }: { readonly advancedDays: number }): Date {
  return new Date(at.getTime() + advancedDays * DAY_MS);
}
