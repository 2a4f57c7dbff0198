import type { RubricaError } from '../errors.ts';

export interface Backoff {
  /** Of one call in all, the first included. */
  readonly maxAttempts: number;
  /** A service that asks for more patience than this is not waited for. */
  readonly maxWaitMs: number;
}

const firstWaitMs = 250;
/** Of what the service asked for: so that those who were sent away together do not come back together. */
const spread = 0.1;

/**
 * How long to wait before the next attempt, or undefined where another one is of no use or out of patience.
 * Without word from the service: full jitter, which doubles its range each time.
 */
export function waitBefore(
  failure: RubricaError,
  { attempts, backoff, random }: { attempts: number; backoff: Backoff; random: () => number },
): number | undefined {
  if (!isTransient(failure) || attempts >= backoff.maxAttempts) return undefined;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined) {
    return retryAfterMs > backoff.maxWaitMs ? undefined : retryAfterMs * (1 + spread * random());
  }
  return Math.min(backoff.maxWaitMs, firstWaitMs * 2 ** attempts) * random();
}

/** Whether the same call may fare better a little later. */
export function isTransient({ code, status }: RubricaError): boolean {
  if (status === undefined) return code === 'NETWORK_ERROR' || code === 'TIMEOUT';
  return status === 429 || status === 502 || status === 503 || status === 504;
}
