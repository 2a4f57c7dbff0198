import { createOwnerCounts } from './owner-counts.ts';

/**
 * Places that one owner may have at once. A quarter of them stays free for owners that come, however many are there
 * already; fewer than four places are all given.
 */
export function shareOfOwner(places: number, activeOwners: number): number {
  const given = places - Math.floor(places / 4);
  return Math.max(1, Math.floor(given / Math.max(1, activeOwners)));
}

/** Work that waits, given out in turn by its owner. */
export interface FairQueue<Item> {
  /** Number of items that wait. */
  readonly size: number;
  add(owner: string, item: Item): void;
  /**
   * Takes the first item of the owner whose turn it is; `end` says that it is over.
   * @param shareOf most items of one owner at once, by the number of owners that have work; unbounded without it
   */
  next(shareOf?: (activeOwners: number) => number): Item | undefined;
  end(owner: string): void;
  /** All that wait. */
  items(): Item[];
  /** Takes out all that wait. */
  drain(): Item[];
}

/** Round robin over the owners that wait; first come, first served among the items of one owner. */
export function createFairQueue<Item>(): FairQueue<Item> {
  // Owners in the order of their turns: who is served goes to the end.
  const waiting = new Map<string, Item[]>();
  const running = createOwnerCounts();
  const items = () => [...waiting.values()].flat();
  return {
    get size() {
      let size = 0;
      for (const { length } of waiting.values()) size += length;
      return size;
    },
    add(owner, item) {
      const own = waiting.get(owner);
      if (own === undefined) waiting.set(owner, [item]);
      else own.push(item);
    },
    next(shareOf = () => Number.POSITIVE_INFINITY) {
      const active = running.owners.union(waiting).size;
      const most = shareOf(active);
      for (const [owner, own] of waiting) {
        if (running.of(owner) >= most) continue;
        const item = own.shift();
        waiting.delete(owner);
        if (own.length > 0) waiting.set(owner, own);
        running.add(owner);
        return item;
      }
      return undefined;
    },
    end: running.remove,
    items,
    drain() {
      const all = items();
      waiting.clear();
      return all;
    },
  };
}
