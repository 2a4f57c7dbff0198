import { nextDelayMs, readRetryAfterMs, type Schedule } from '../engine/schedule.ts';
import type { Answer, DialFailure } from './dialer.ts';

/** One word for the ledger and the metrics. */
export type Outcome = 'ACKNOWLEDGED' | 'REDIRECTED' | 'REFUSED' | 'GONE' | DialFailure | 'PAYLOAD_EXPIRED';

/** What an attempt means for its delivery. `retryAfterMs` is counted from the attempt's end. */
export type Verdict = {
  outcome: Outcome;
  status: number | null;
  /** In plain words, never a word of the receiver's own. */
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
  const seen = describe(answer);
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

const noAnswer: ReadonlySet<Outcome> = new Set([
  'TIMEOUT',
  'CONNECTION_FAILED',
  'NAME_NOT_RESOLVED',
  'TLS_FAILED',
]);
const neverSent: ReadonlySet<Outcome> = new Set(['DESTINATION_FORBIDDEN', 'NOT_SENT', 'PAYLOAD_EXPIRED']);

/** What an outcome says of whether anybody is there: an answer of any kind is one, a refusal too. */
export function healthOf(outcome: Outcome): 'answered' | 'failed' | undefined {
  if (neverSent.has(outcome)) return undefined;
  return noAnswer.has(outcome) ? 'failed' : 'answered';
}

/** 429, a gateway that gets no answer, or no answer at all: the receiver cannot keep up. */
function isOverloaded(
  { outcome, status }: { outcome: Outcome; status: number | null },
  { slowDown }: Schedule,
): boolean {
  if (slowDown === undefined) return false;
  return status === null ? slowDown.failures.includes(outcome) : slowDown.statuses.includes(status);
}

/** What an answer means by itself, in plain words. */
export function describe(answer: Answer): { outcome: Outcome; status: number | null; error: string | null } {
  if (answer.kind === 'failed') return { outcome: answer.failure, status: null, error: answer.message };
  const { status } = answer;
  if (status >= 200 && status < 300) return { outcome: 'ACKNOWLEDGED', status, error: null };
  if (status === 410) return { outcome: 'GONE', status, error: 'the receiver wants no more (410)' };
  if (status >= 300 && status < 400) {
    return {
      outcome: 'REDIRECTED',
      status,
      error: `the receiver redirects (${status}); redirects are not followed`,
    };
  }
  return { outcome: 'REFUSED', status, error: `the receiver answered ${status}` };
}
