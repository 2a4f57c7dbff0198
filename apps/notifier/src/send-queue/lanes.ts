/** Runs work in the order of its arrival, a bounded number per destination at a time. */
export interface Lanes<Item> {
  /** Starts now or when its turn comes. */
  enter(destination: string, item: Item): void;
  /** Forgets what has not started, of one destination or of all, and gives it back. */
  clear(destination?: string): Item[];
}

/** @param start must not reject; its end makes room for the next */
export function createLanes<Item>({
  perDestination,
  start,
}: {
  perDestination: number;
  start: (item: Item) => Promise<void>;
}): Lanes<Item> {
  const lanes = new Map<string, { active: number; waiting: Item[] }>();

  async function runLane(destination: string, first: Item): Promise<void> {
    const lane = laneOf(destination);
    lane.active++;
    for (let next: Item | undefined = first; next !== undefined; next = lane.waiting.shift())
      await start(next);
    lane.active--;
    if (lane.active === 0) lanes.delete(destination);
  }

  function laneOf(destination: string) {
    const lane = lanes.get(destination) ?? { active: 0, waiting: [] };
    lanes.set(destination, lane);
    return lane;
  }

  return {
    enter(destination, item) {
      const lane = laneOf(destination);
      if (lane.active < perDestination) void runLane(destination, item);
      else lane.waiting.push(item);
    },
    clear(destination) {
      const cleared = destination === undefined ? [...lanes.values()] : [lanes.get(destination)];
      return cleared.flatMap((lane) => lane?.waiting.splice(0) ?? []);
    },
  };
}
