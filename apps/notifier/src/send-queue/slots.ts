import type { Breaker } from './breaker.ts';

export interface SlotLimits {
  /** In hand at once: attempts under way and those that wait for their turn. */
  readonly total: number;
  /** Attempts under way at once to one destination. */
  readonly perDestination: number;
  /** In hand at once for one destination: a few rounds, so that no attempt waits for the ledger. */
  readonly inHandPerDestination: number;
}

/** Room for what is in hand, in all and per destination, so that one dead partner cannot take it all. */
export interface Slots {
  tryTake(destination: string): boolean;
  /** Takes room even where there is none left. */
  take(destination: string): void;
  release(destination: string): void;
  left(destination: string): number;
  /** Free in all. */
  free(): number;
  /** Destinations in use or at rest, with what is left for each. */
  leftByDestination(): { destination: string; left: number; resting: boolean }[];
  inUse(): number;
}

/** @param breaker allows less where a destination does not answer */
export function createSlots(
  { total, inHandPerDestination }: SlotLimits,
  breaker: Pick<Breaker, 'allowed' | 'restricted'> = freely,
): Slots {
  const used = new Map<string, number>();
  let inUse = 0;
  const take = (destination: string) => {
    used.set(destination, (used.get(destination) ?? 0) + 1);
    inUse++;
  };
  const left = (destination: string) => {
    const most = Math.min(inHandPerDestination, breaker.allowed(destination));
    return Math.max(0, most - (used.get(destination) ?? 0));
  };
  return {
    take,
    left,
    tryTake(destination) {
      if (inUse >= total || left(destination) === 0) return false;
      take(destination);
      return true;
    },
    release(destination) {
      const here = used.get(destination);
      if (here === undefined) throw new Error('a slot was released that was not taken');
      if (here === 1) used.delete(destination);
      else used.set(destination, here - 1);
      inUse--;
    },
    free: () => Math.max(0, total - inUse),
    leftByDestination() {
      const resting = new Set(breaker.restricted().map(({ destination }) => destination));
      return [...new Set([...used.keys(), ...resting])].map((destination) => ({
        destination,
        left: left(destination),
        resting: resting.has(destination),
      }));
    },
    inUse: () => inUse,
  };
}

const freely: Pick<Breaker, 'allowed' | 'restricted'> = {
  allowed: () => Number.POSITIVE_INFINITY,
  restricted: () => [],
};
