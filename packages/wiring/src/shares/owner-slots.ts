import { createOwnerCounts } from './owner-counts.ts';

/** Slots per owner. An owner that uses all of its own waits for one of them, and delays no other owner. */
export interface OwnerSlots {
  /**
   * Runs `work` once the owner has a free slot.
   * @param options.signal if aborted when the slot is free, the work does not begin, and its reason is thrown
   */
  run<Result>(
    owner: string,
    work: () => Promise<Result>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Result>;
}

export function createOwnerSlots(placesOfEach: number): OwnerSlots {
  const taken = createOwnerCounts();
  const waiting = new Map<string, (() => void)[]>();
  /** Passes the slot to the first waiting task. */
  const leave = (owner: string) => {
    const queue = waiting.get(owner);
    const next = queue?.shift();
    if (queue?.length === 0) waiting.delete(owner);
    if (next === undefined) taken.remove(owner);
    else next();
  };
  return {
    async run(owner, work, { signal } = {}) {
      if (taken.of(owner) < placesOfEach) taken.add(owner);
      else {
        const place = Promise.withResolvers<void>();
        const queue = waiting.get(owner);
        if (queue === undefined) waiting.set(owner, [place.resolve]);
        else queue.push(place.resolve);
        await place.promise;
      }
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        leave(owner);
      }
    },
  };
}
