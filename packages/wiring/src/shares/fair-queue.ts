import { createOwnerCounts } from './owner-counts.ts';

/**
 * Calculates the slots that one owner may have at once. A quarter of them stays free for new owners, however many are
 * active; with fewer than four slots all are used.
 */
export function ownerShare(places: number, activeOwners: number): number {
  const given = places - Math.floor(places / 4);
  return Math.max(1, Math.floor(given / Math.max(1, activeOwners)));
}

/** Queue of waiting work that alternates between its owners. */
export interface FairQueue<Item> {
  /** Number of waiting items. */
  readonly size: number;
  add(owner: string, item: Item): void;
  /**
   * Takes the first item of the next owner; `end` reports that it is done.
   * @param shareOf maximum items of one owner at once, by the number of owners with work; default: no limit
   */
  next(shareOf?: (activeOwners: number) => number): Item | undefined;
  end(owner: string): void;
  /** Lists all waiting items. */
  items(): Item[];
  /** Removes and returns all waiting items. */
  drain(): Item[];
}

/** Creates a queue that serves waiting owners round robin, and the items of one owner first come, first served. */
export function createFairQueue<Item>(): FairQueue<Item> {
  // Owners in the order of service: a served owner moves to the end.
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
