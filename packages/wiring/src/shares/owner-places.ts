import { createOwnerCounts } from './owner-counts.ts';

/** Places of each owner; whoever has all of its own waits for one of them, and keeps nobody else waiting. */
export interface OwnerPlaces {
  /** @param options.signal whoever gave up meanwhile is not served; its reason is thrown */
  run<Result>(
    owner: string,
    work: () => Promise<Result>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Result>;
}

export function createOwnerPlaces(placesOfEach: number): OwnerPlaces {
  const taken = createOwnerCounts();
  const waiting = new Map<string, (() => void)[]>();
  /** Gives the place to the one who waits first. */
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
