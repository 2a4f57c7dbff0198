import { createFairQueue } from '../fair-queue.ts';

/** Bounded number of places, given in turn to the owners that wait. */
export interface Turns {
  /** Runs `work` once the owner has a place. */
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>;
  /** Lets all that wait run at once: what they need has ended, and they say so. */
  stop(): void;
}

export function createTurns(places: number): Turns {
  const waiting = createFairQueue<() => void>();
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
    async run(owner, work) {
      const turn = Promise.withResolvers<void>();
      waiting.add(owner, turn.resolve);
      next();
      await turn.promise;
      try {
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
