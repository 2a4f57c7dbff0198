import { setTimeout as delay } from 'node:timers/promises';
import { fromS3Error, isWorthRepeating } from './s3-faults.ts';

export interface Budget {
  /** Time for all tries and the waits between them; the first may last longer, if `tryMs` says so. */
  readonly totalMs: number;
  /** Time for one try. */
  readonly tryMs: number;
}

/**
 * Partners wait for it, and receive a refusal within 5 s if the store is unavailable. The rest is for the transfer of
 * their files to this service, which took more than a second on a busy machine.
 */
export const callBudget: Budget = { totalMs: 3_000, tryMs: 2_800 };

/**
 * Computes the budget for a body. A moving transfer may complete at a MiB per second or more; a silent store is
 * abandoned by the time-out of its socket.
 */
export function bodyBudget(bytes: number): Budget {
  return { ...callBudget, tryMs: callBudget.tryMs + bytes / 1_024 };
}

const waitsMs = [100, 300, 900, 1_500] as const;

interface Try {
  readonly abortSignal: AbortSignal;
  /** Number of the try, from 0. */
  readonly n: number;
}

/**
 * Tries until the budget is spent.
 * @throws EvidenceStoreError of the last try
 */
export type Repeating = <T>(budget: Budget, attempt: (one: Try) => Promise<T>) => Promise<T>;

/**
 * Creates the repetition for one store. Once a call has spent its budget in vain, the store counts as unavailable until
 * it answers a call. Meanwhile each call tries once, so that callers fail at once and not after all repetitions.
 */
export function createRepeating(): Repeating {
  let isUnavailable = false;
  return async ({ totalMs, tryMs }, attempt) => {
    const deadline = performance.now() + totalMs;
    for (let n = 0; ; n += 1) {
      const leftMs = n === 0 ? tryMs : Math.min(tryMs, deadline - performance.now());
      try {
        const result = await attempt({ abortSignal: AbortSignal.timeout(Math.max(1, Math.ceil(leftMs))), n });
        isUnavailable = false;
        return result;
      } catch (error) {
        if (!isWorthRepeating(error)) {
          isUnavailable = false;
          throw fromS3Error(error);
        }
        const waitMs = waitsMs[n] ?? Number.POSITIVE_INFINITY;
        isUnavailable ||= performance.now() + waitMs >= deadline;
        if (isUnavailable) throw fromS3Error(error);
        await delay(waitMs * (0.5 + Math.random() / 2));
      }
    }
  };
}
