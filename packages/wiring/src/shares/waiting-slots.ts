import { AppError } from '@rubrica/process/errors';
import { createFairQueue } from './fair-queue.ts';
import { createOwnerCounts } from './owner-counts.ts';

/** Limited number of slots, given alternately to the waiting owners. */
export interface WaitingSlots {
  /**
   * Runs `work` once the owner has a slot.
   * @param options.signal if aborted when the slot is free, the work does not begin, and its reason is thrown
   * @throws AppError RATE_LIMITED if the owner has the maximum number of waiting tasks
   */
  run<Result>(
    owner: string,
    work: () => Promise<Result> | Result,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Result>;
  /** Lets all waiting tasks run at once: the resource that they need has ended, and they will report it. */
  stop(): void;
}

export interface WaitingSlotsOptions {
  readonly places: number;
  /** Maximum waiting tasks of one owner. */
  readonly mostWaiting?: number;
}

const retryAfterSeconds = 1;

export function createWaitingSlots({
  places,
  mostWaiting = Number.POSITIVE_INFINITY,
}: WaitingSlotsOptions): WaitingSlots {
  const waiting = createFairQueue<() => void>();
  const counts = createOwnerCounts();
  let free = places;
  const next = () => {
    while (free > 0) {
      const begin = waiting.next();
      if (begin === undefined) return;
      free -= 1;
      begin();
    }
  };
  return {
    async run(owner, work, { signal } = {}) {
      if (counts.of(owner) >= mostWaiting) throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
      const turn = Promise.withResolvers<void>();
      counts.add(owner);
      waiting.add(owner, () => {
        counts.remove(owner);
        turn.resolve();
      });
      next();
      await turn.promise;
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        waiting.end(owner);
        free += 1;
        next();
      }
    },
    stop() {
      free = Number.POSITIVE_INFINITY;
      next();
    },
  };
}
