import type { Verdict } from './breaker.ts';
import type { Attempt } from './try-once.ts';

/**
 * End of a call. `refused`: an answer outside the contract (3xx, 4xx); `invalid`: 200 or 404 with a body
 * outside it; `left`: the caller gave up; `resting`: not made, the breaker was open.
 */
export type CallEnd =
  | 'found'
  | 'not-found'
  | 'refused'
  | 'invalid'
  | 'failed'
  | 'throttled'
  | 'timeout'
  | 'unreachable'
  | 'left'
  | 'resting';

/**
 * Verdict for each end of a call. Bodies and refusals outside the contract may concern one applicant's data,
 * repeated by one partner. They come at once and must not block everybody else.
 */
export const verdicts = {
  found: 'alive',
  'not-found': 'alive',
  refused: 'alive',
  invalid: 'alive',
  failed: 'failing',
  throttled: 'failing',
  timeout: 'failing',
  unreachable: 'failing',
  left: 'unknown',
  resting: 'unknown',
} satisfies Record<CallEnd, Verdict>;

export type Judgement =
  | { readonly kind: 'body'; readonly found: boolean; readonly text: string }
  /** `retry`: present if another try may help and harms nothing, with the wait that the system asked for. */
  | {
      readonly kind: 'fault';
      readonly end: Exclude<CallEnd, 'found' | 'not-found' | 'resting'>;
      readonly retry: { readonly afterMs: number | undefined } | undefined;
      readonly status?: number;
      readonly code?: string;
    };

/**
 * Longest wait for which this call tries again. A system that asks for more is not asked again within the
 * call.
 */
const longestRetryAfterMs = 2_000;

/**
 * Codes of connections that were refused or broken before an answer. An idle connection closed by the other
 * end looks the same.
 */
const brokenBeforeAnswer = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** Statuses of a proxy in front of the system, or of a system that asks to be tried later. */
const transientStatuses = new Set([502, 503, 504]);

/** Judges one attempt for its call. A time-out is not retried: a slow system gets no more work from us. */
export function judge(attempt: Attempt): Judgement {
  switch (attempt.kind) {
    case 'answered':
      return judgeStatus(attempt);
    case 'unreachable': {
      const canRetry = !attempt.answerBegun && brokenBeforeAnswer.has(attempt.code);
      return {
        kind: 'fault',
        end: 'unreachable',
        retry: canRetry ? { afterMs: undefined } : undefined,
        code: attempt.code,
      };
    }
    case 'too-long':
      return { kind: 'fault', end: 'invalid', retry: undefined, code: 'ANSWER_TOO_LONG' };
    default:
      return { kind: 'fault', end: attempt.kind, retry: undefined };
  }
}

function judgeStatus({ status, text, retryAfterMs }: Extract<Attempt, { kind: 'answered' }>): Judgement {
  if (status === 200 || status === 201 || status === 404)
    return { kind: 'body', found: status !== 404, text };
  const short = retryAfterMs !== undefined && retryAfterMs <= longestRetryAfterMs;
  if (status === 429)
    return { kind: 'fault', end: 'throttled', retry: short ? { afterMs: retryAfterMs } : undefined, status };
  const canRetry = transientStatuses.has(status) && (retryAfterMs === undefined || short);
  const retry = canRetry ? { afterMs: retryAfterMs } : undefined;
  return { kind: 'fault', end: status >= 500 ? 'failed' : 'refused', retry, status };
}
