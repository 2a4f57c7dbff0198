import type { Answer, DialFailure } from './dialer.ts';

/** Outcome of an attempt, for the ledger and the metrics. */
export type Outcome = 'ACKNOWLEDGED' | 'REDIRECTED' | 'REFUSED' | 'GONE' | DialFailure | 'PAYLOAD_EXPIRED';

/** Describes an answer independently of its schedule, in plain text. */
export function describeAnswer(answer: Answer): {
  outcome: Outcome;
  status: number | null;
  error: string | null;
} {
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

const noAnswer: ReadonlySet<Outcome> = new Set([
  'TIMEOUT',
  'CONNECTION_FAILED',
  'NAME_NOT_RESOLVED',
  'TLS_FAILED',
]);
const neverSent: ReadonlySet<Outcome> = new Set(['DESTINATION_FORBIDDEN', 'NOT_SENT', 'PAYLOAD_EXPIRED']);

/** Returns whether the receiver answered, including refusals; undefined where it was not called. */
export function toHealth(outcome: Outcome): 'answered' | 'failed' | undefined {
  if (neverSent.has(outcome)) return undefined;
  return noAnswer.has(outcome) ? 'failed' : 'answered';
}
