import type { Verdict } from './breaker.ts';
import type { Attempt } from './try-once.ts';

/**
 * How a call ended. `refused`: an answer outside the contract (3xx, 4xx); `invalid`: 200 or 404 with a body outside
 * it; `left`: the caller gave up; `resting`: not made, the breaker was open.
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
 * Bodies and refusals outside the contract may be about one applicant's data, repeated by one partner; they come at
 * once and must not close the way for everybody else.
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
  /** `retry`: whether trying again may help and harms nothing, and the wait that the system asked for. */
  | {
      readonly kind: 'fault';
      readonly end: Exclude<CallEnd, 'found' | 'not-found' | 'resting'>;
      readonly retry: { readonly afterMs: number | undefined } | undefined;
      readonly status?: number;
      readonly code?: string;
    };

/** A system that asks for a longer wait is not asked again within this call. */
const longestRetryAfterMs = 2_000;

/** Nothing was answered: refused, or broken (an idle connection closed by the other end looks the same). */
const brokenBeforeAnswer = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** Said by who stands in front of the system, or by a system that says "later". */
const passing = new Set([502, 503, 504]);

/** What one attempt means for the call. A time-out is not retried: whoever is slow gets no more work from us. */
export function judge(attempt: Attempt): Judgement {
  switch (attempt.kind) {
    case 'answered':
      return judgeStatus(attempt);
    case 'unreachable': {
      const again = !attempt.answerBegun && brokenBeforeAnswer.has(attempt.code);
      return {
        kind: 'fault',
        end: 'unreachable',
        retry: again ? { afterMs: undefined } : undefined,
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
  const again = passing.has(status) && (retryAfterMs === undefined || short);
  const retry = again ? { afterMs: retryAfterMs } : undefined;
  return { kind: 'fault', end: status >= 500 ? 'failed' : 'refused', retry, status };
}
