/** Order of work per destination, with a limit of concurrent attempts for each. */
export interface Lanes<Item> {
  /** Returns the item if it may start now; otherwise, it waits in its lane. */
  enter(destination: string, item: Item): Item | undefined;
  /** Ends an attempt, and returns the next item of its lane, which may start now. */
  leave(destination: string): Item | undefined;
  /** Removes the items that have not started, of one destination or of all, and returns them. */
  clear(destination?: string): Item[];
}

export function createLanes<Item>(perDestination: number): Lanes<Item> {
  const lanes = new Map<string, { active: number; waiting: Item[] }>();
  return {
    enter(destination, item) {
      const lane = lanes.get(destination) ?? { active: 0, waiting: [] };
      lanes.set(destination, lane);
      if (lane.active >= perDestination) {
        lane.waiting.push(item);
        return undefined;
      }
      lane.active++;
      return item;
    },
    leave(destination) {
      const lane = lanes.get(destination);
      if (lane === undefined) throw new Error('an attempt ended that had not started');
      const next = lane.waiting.shift();
      if (next === undefined) lane.active--;
      if (lane.active === 0) lanes.delete(destination);
      return next;
    },
    clear(destination) {
      const cleared = destination === undefined ? [...lanes.values()] : [lanes.get(destination)];
      return cleared.flatMap((lane) => lane?.waiting.splice(0) ?? []);
    },
  };
}
