import type { RubricaError } from '../errors.ts';

export interface Backoff {
  /** Maximum attempts of one call, including the first. */
  readonly maxAttempts: number;
  /** If the service asks for a longer wait, the call fails. */
  readonly maxWaitMs: number;
}

const firstWaitMs = 250;
/** Random addition to the time that the service asked for, so that refused callers do not return together. */
const spread = 0.1;

/**
 * Calculates the wait before the next attempt; undefined if another one is useless or exceeds the limits. Without a
 * time from the service: full jitter, whose range doubles each time.
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

/** Tells whether the same call may succeed a little later. */
export function isTransient({ code, status }: RubricaError): boolean {
  if (status === undefined) return code === 'NETWORK_ERROR' || code === 'TIMEOUT';
  return status === 429 || status === 502 || status === 503 || status === 504;
}
