import type { Answer } from '../dialer/dialer.ts';
import { describeAnswer, type Outcome } from '../dialer/outcome.ts';
import { nextDelayMs, readRetryAfterMs, type Schedule } from '../send-queue/retry-schedule.ts';

/** What an attempt means for its delivery. `retryAfterMs` is counted from the attempt's end. */
export type Verdict = {
  outcome: Outcome;
  status: number | null;
  /** In our words, never the receiver's. */
  error: string | null;
} & ({ state: 'DELIVERED' | 'EXHAUSTED' | 'STOPPED' } | { state: 'PENDING'; retryAfterMs: number });

/**
 * Judges one attempt: any 2xx acknowledges, 410 stops, everything else, redirects included, is tried again.
 * @param made attempts of this round including this one
 */
export function judge(
  answer: Answer,
  { schedule, made, random, now }: { schedule: Schedule; made: number; random: number; now: Date },
): Verdict {
  const seen = describeAnswer(answer);
  if (seen.outcome === 'ACKNOWLEDGED') return { ...seen, state: 'DELIVERED' };
  if (seen.outcome === 'GONE') return { ...seen, state: 'STOPPED' };
  const retryAfterMs = answer.kind === 'answered' ? readRetryAfterMs(answer.retryAfter, now) : undefined;
  const delayMs = nextDelayMs(schedule, made, {
    random,
    overloaded: isOverloaded(seen, schedule),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  return delayMs === undefined
    ? { ...seen, state: 'EXHAUSTED' }
    : { ...seen, state: 'PENDING', retryAfterMs: delayMs };
}

/** 429, a gateway that gets no answer, or no answer at all: the receiver cannot keep up. */
function isOverloaded(
  { outcome, status }: { outcome: Outcome; status: number | null },
  { slowDown }: Schedule,
): boolean {
  if (slowDown === undefined) return false;
  return status === null ? slowDown.failures.includes(outcome) : slowDown.statuses.includes(status);
}
