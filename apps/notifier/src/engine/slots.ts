export type SlotLimits = {
  /** In hand at once: attempts under way and those that wait for their turn. */
  total: number;
  /** Attempts under way at once to one destination. */
  perDestination: number;
  /** In hand at once for one destination: a few rounds, so that no attempt waits for the ledger. */
  inHandPerDestination: number;
};

/** Room for what is in hand, in all and per destination, so that one dead partner cannot take it all. */
export type Slots = {
  tryTake(destination: string): boolean;
  /** Takes room even where there is none left. */
  take(destination: string): void;
  release(destination: string): void;
  left(destination: string): number;
  /** Free in all. */
  free(): number;
  /** Destinations in use, with what is left for each. */
  leftByDestination(): { destination: string; left: number }[];
  inUse(): number;
};

export function createSlots({ total, inHandPerDestination }: SlotLimits): Slots {
  const used = new Map<string, number>();
  let inUse = 0;
  const take = (destination: string) => {
    used.set(destination, (used.get(destination) ?? 0) + 1);
    inUse++;
  };
  const left = (destination: string) => Math.max(0, inHandPerDestination - (used.get(destination) ?? 0));
  return {
    take,
    left,
    tryTake(destination) {
      if (inUse >= total || (used.get(destination) ?? 0) >= inHandPerDestination) return false;
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
    leftByDestination: () =>
      [...used.keys()].map((destination) => ({ destination, left: left(destination) })),
    inUse: () => inUse,
  };
}
