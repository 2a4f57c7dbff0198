import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';

/** Schedule of attempts: each delay follows the end of the previous attempt. */
export interface Schedule {
  /** `delaysMs[n]` is the delay before attempt n + 1; the first is 0, the length is the number of attempts. */
  readonly delaysMs: readonly number[];
  /** Random variation of a delay, as a fraction, so that a burst does not repeat as one. */
  readonly jitter: number;
  /** Maximum Retry-After that is respected. */
  readonly maxRetryAfterMs: number;
  /** Slow-down for overloaded receivers; absent where receivers do not report overload. */
  readonly slowDown?: SlowDown;
}

/** Reduction of calls to an overloaded receiver. */
export interface SlowDown {
  readonly statuses: readonly number[];
  /** Failures without a status, by their name in the ledger. */
  readonly failures: readonly string[];
  /** Multiplier of the schedule's delay. */
  readonly factor: number;
  /** Maximum resulting delay, before jitter. */
  readonly maxDelayMs: number;
}

/**
 * Schedule of the Standard Webhooks specification, "Deliverability and reliability": ten attempts in about three days.
 */
export const webhookSchedule: Schedule = {
  delaysMs: [
    0,
    5_000,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    DAY_MS,
  ],
  jitter: 0.2,
  maxRetryAfterMs: DAY_MS,
  // A factor instead of a later step: a restarting receiver answers 502 for seconds and should be called again soon.
  slowDown: { statuses: [429, 502, 503, 504], failures: ['TIMEOUT'], factor: 2, maxDelayMs: DAY_MS },
};

/**
 * Schedule for letters: mail servers ask for a pause of minutes (greylisting) and may be down for hours (RFC 5321
 * §4.5.4.1).
 */
export const letterSchedule: Schedule = {
  delaysMs: [0, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, DAY_MS],
  jitter: 0.2,
  maxRetryAfterMs: DAY_MS,
};

/** Schedule for codes, which are valid for five minutes: frequent at first, and until they expire. */
export const codeSchedule: Schedule = {
  delaysMs: [0, 2, 4, 8, 15, 30, 45, 60, 60, 60].map((seconds) => seconds * 1_000),
  jitter: 0.2,
  maxRetryAfterMs: MINUTE_MS,
};

/**
 * Computes the delay before the next attempt. Retry-After only lengthens it (RFC 9110 §10.2.3: how long the client
 * "ought to wait before" a follow-up). If it could shorten it, `Retry-After: 1` would use up all attempts in an outage
 * of seconds.
 * @param made finished attempts, at least 1
 * @param random uniform in [0, 1)
 * @param overloaded whether the schedule's `slowDown` applies
 * @returns milliseconds, or undefined when the schedule is exhausted
 */
export function nextDelayMs(
  schedule: Schedule,
  made: number,
  {
    random,
    retryAfterMs = 0,
    overloaded = false,
  }: { random: number; retryAfterMs?: number; overloaded?: boolean },
): number | undefined {
  const planned = schedule.delaysMs[made];
  if (planned === undefined) return undefined;
  const delayMs = overloaded ? applySlowDown(planned, schedule.slowDown) : planned;
  const jittered = delayMs * (1 - schedule.jitter + 2 * schedule.jitter * random);
  // Jitter only lengthens the requested wait, or the receiver would be called too early again.
  const requestedMs = Math.min(retryAfterMs, schedule.maxRetryAfterMs) * (1 + schedule.jitter * random);
  return Math.round(Math.max(jittered, requestedMs));
}

function applySlowDown(delayMs: number, slowDown: SlowDown | undefined): number {
  if (slowDown === undefined) return delayMs;
  return Math.max(delayMs, Math.min(delayMs * slowDown.factor, slowDown.maxDelayMs));
}

/**
 * Reads a Retry-After header (RFC 9110 §10.2.3): seconds, or an HTTP date.
 * @returns milliseconds from `now`, never negative; undefined when absent or invalid
 */
export function readRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1_000;
  // Date.parse alone would read "-5" or "2" as a year; an HTTP date starts with the name of the day.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
