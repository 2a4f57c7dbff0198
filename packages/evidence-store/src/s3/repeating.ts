import { setTimeout as delay } from 'node:timers/promises';
import { isWorthRepeating, ofS3 } from './s3-faults.ts';

export interface Budget {
  /** Of all tries and the waits between them; the first may last longer, where `tryMs` says so. */
  readonly totalMs: number;
  /** Of one try. */
  readonly tryMs: number;
}

/**
 * A partner waits for it, and is told within 5 s that it cannot be: what is left of them is for the way of its files to here,
 * which on a busy machine took more than a second.
 */
export const callBudget: Budget = { totalMs: 3_000, tryMs: 2_800 };

/**
 * The same for a body. One that moves is let come to its end, at a MiB a second at least; a store that went silent is
 * given up by the time-out of its socket.
 */
export function bodyBudget(bytes: number): Budget {
  return { ...callBudget, tryMs: callBudget.tryMs + bytes / 1_024 };
}

const waitsMs = [100, 300, 900, 1_500] as const;

interface Try {
  readonly abortSignal: AbortSignal;
  /** Counts from 0. */
  readonly n: number;
}

/** Tries until the budget is spent. @throws EvidenceStoreError of the last try */
export type Repeating = <T>(budget: Budget, attempt: (one: Try) => Promise<T>) => Promise<T>;

/**
 * Of one store. Once a call has spent its budget in vain the store counts as away until it answers one: each call tries
 * once, and who waits for it is told at once and not after all repeats.
 */
export function createRepeating(): Repeating {
  let isAway = false;
  return async ({ totalMs, tryMs }, attempt) => {
    const deadline = performance.now() + totalMs;
    for (let n = 0; ; n += 1) {
      const leftMs = n === 0 ? tryMs : Math.min(tryMs, deadline - performance.now());
      try {
        const result = await attempt({ abortSignal: AbortSignal.timeout(Math.max(1, Math.ceil(leftMs))), n });
        isAway = false;
        return result;
      } catch (error) {
        if (!isWorthRepeating(error)) {
          isAway = false;
          throw ofS3(error);
        }
        const waitMs = waitsMs[n] ?? Number.POSITIVE_INFINITY;
        isAway ||= performance.now() + waitMs >= deadline;
        if (isAway) throw ofS3(error);
        await delay(waitMs * (0.5 + Math.random() / 2));
      }
    }
  };
}
