/** Runs work in the order of its arrival, with a limit per destination. */
export interface Lanes<Item> {
  /** Starts the item now or when a slot is free. */
  enter(destination: string, item: Item): void;
  /** Removes the items that have not started, of one destination or of all, and returns them. */
  clear(destination?: string): Item[];
}

/**
 * Creates the lanes.
 * @param start must not reject; the next item starts when it resolves
 */
export function createLanes<Item>({
  perDestination,
  start,
}: {
  perDestination: number;
  start: (item: Item) => Promise<void>;
}): Lanes<Item> {
  const lanes = new Map<string, { active: number; waiting: Item[] }>();

  async function runLane(destination: string, first: Item): Promise<void> {
    const lane = getLane(destination);
    lane.active++;
    for (let next: Item | undefined = first; next !== undefined; next = lane.waiting.shift())
      await start(next);
    lane.active--;
    if (lane.active === 0) lanes.delete(destination);
  }

  function getLane(destination: string) {
    const lane = lanes.get(destination) ?? { active: 0, waiting: [] };
    lanes.set(destination, lane);
    return lane;
  }

  return {
    enter(destination, item) {
      const lane = getLane(destination);
      if (lane.active < perDestination) void runLane(destination, item);
      else lane.waiting.push(item);
    },
    clear(destination) {
      const cleared = destination === undefined ? [...lanes.values()] : [lanes.get(destination)];
      return cleared.flatMap((lane) => lane?.waiting.splice(0) ?? []);
    },
  };
}
