import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';

/** When attempts are made: each delay follows the end of the attempt before it. */
export interface Schedule {
  /** `delaysMs[n]` is waited before attempt n + 1; the first is 0, the length is the number of attempts. */
  readonly delaysMs: readonly number[];
  /** Share by which a delay is randomly lengthened or shortened, so that a burst does not come back as one. */
  readonly jitter: number;
  /** Longest wait that a receiver's Retry-After is granted. */
  readonly maxRetryAfterMs: number;
  /** How much slower a receiver that cannot keep up is called; absent where receivers do not say so. */
  readonly slowDown?: SlowDown;
}

/** A receiver that cannot keep up is helped by fewer calls, not by the usual ones. */
export interface SlowDown {
  readonly statuses: readonly number[];
  /** Failures without a status, by their name in the ledger. */
  readonly failures: readonly string[];
  /** By what the schedule's delay is multiplied. */
  readonly factor: number;
  /** Longest delay that this may come to, before jitter. */
  readonly maxDelayMs: number;
}

/** The schedule of the Standard Webhooks specification, "Deliverability and reliability": ten attempts in about three days. */
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
  // A factor and not a later step: a receiver that restarts answers 502 for seconds and is to hear soon again.
  slowDown: { statuses: [429, 502, 503, 504], failures: ['TIMEOUT'], factor: 2, maxDelayMs: DAY_MS },
};

/** Mail servers ask for a pause of minutes (greylisting) and may be down for hours (RFC 5321 §4.5.4.1). */
export const letterSchedule: Schedule = {
  delaysMs: [0, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, DAY_MS],
  jitter: 0.2,
  maxRetryAfterMs: DAY_MS,
};

/** A code lives five minutes: tried often at first, and to its end. */
export const codeSchedule: Schedule = {
  delaysMs: [0, 2, 4, 8, 15, 30, 45, 60, 60, 60].map((seconds) => seconds * 1_000),
  jitter: 0.2,
  maxRetryAfterMs: MINUTE_MS,
};

/**
 * The wait before the next attempt.
 *
 * Retry-After only lengthens the wait (RFC 9110 §10.2.3: how long the client "ought to wait before"
 * a follow-up); taken to shorten the wait, `Retry-After: 1` would burn all attempts in an outage of seconds.
 * @param made attempts made so far, at least 1
 * @param random uniform in [0, 1)
 * @param overloaded the receiver cannot keep up: the schedule's `slowDown` applies
 * @returns milliseconds, or undefined when the schedule is used up
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
  const delayMs = overloaded ? slowed(planned, schedule.slowDown) : planned;
  const jittered = delayMs * (1 - schedule.jitter + 2 * schedule.jitter * random);
  // The asked wait is only ever lengthened, or the receiver would be called too early again.
  const asked = Math.min(retryAfterMs, schedule.maxRetryAfterMs) * (1 + schedule.jitter * random);
  return Math.round(Math.max(jittered, asked));
}

function slowed(delayMs: number, slowDown: SlowDown | undefined): number {
  if (slowDown === undefined) return delayMs;
  return Math.max(delayMs, Math.min(delayMs * slowDown.factor, slowDown.maxDelayMs));
}

/**
 * Reads a Retry-After header (RFC 9110 §10.2.3): seconds, or an HTTP date.
 * @returns milliseconds from `now`, never negative; undefined when absent or not understood
 */
export function readRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1_000;
  // Date.parse alone would take "-5" or "2" for a year; an HTTP date starts with the day's name.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
