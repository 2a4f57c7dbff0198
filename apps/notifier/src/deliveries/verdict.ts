import type { Answer } from '../dialer/dialer.ts';
import { describeAnswer, type Outcome } from '../dialer/outcome.ts';
import { nextDelayMs, readRetryAfterMs, type Schedule } from '../send-queue/retry-schedule.ts';

/** Effect of an attempt on its delivery. `retryAfterMs` counts from the attempt's end. */
export type Verdict = {
  outcome: Outcome;
  status: number | null;
  /** Our own text, never the receiver's. */
  error: string | null;
} & ({ state: 'DELIVERED' | 'EXHAUSTED' | 'STOPPED' } | { state: 'PENDING'; retryAfterMs: number });

/**
 * Judges one attempt: any 2xx acknowledges, 410 stops, everything else, including redirects, is retried.
 * @param made attempts of this series, including this one
 */
export function judgeDelivery(
  answer: Answer,
  { schedule, made, random, now }: { schedule: Schedule; made: number; random: number; now: Date },
): Verdict {
  const result = describeAnswer(answer);
  if (result.outcome === 'ACKNOWLEDGED') return { ...result, state: 'DELIVERED' };
  if (result.outcome === 'GONE') return { ...result, state: 'STOPPED' };
  const retryAfterMs = answer.kind === 'answered' ? readRetryAfterMs(answer.retryAfter, now) : undefined;
  const delayMs = nextDelayMs(schedule, made, {
    random,
    overloaded: isOverloaded(result, schedule),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  return delayMs === undefined
    ? { ...result, state: 'EXHAUSTED' }
    : { ...result, state: 'PENDING', retryAfterMs: delayMs };
}

/** Returns whether the receiver is overloaded: 429, a gateway without an answer, or no answer at all. */
function isOverloaded(
  { outcome, status }: { outcome: Outcome; status: number | null },
  { slowDown }: Schedule,
): boolean {
  if (slowDown === undefined) return false;
  return status === null ? slowDown.failures.includes(outcome) : slowDown.statuses.includes(status);
}
