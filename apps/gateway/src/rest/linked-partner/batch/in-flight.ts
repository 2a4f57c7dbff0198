/** Work that runs at once, and no more of it than fits. */
export interface InFlight {
  /** What to wait for before more is begun; undefined while there is room. */
  room(): Promise<void> | undefined;
  /** Begins work, after what was begun before it under the same key. It must not fail. */
  begin(key: string | undefined, work: () => Promise<void>): void;
  /** Resolves when nothing runs any more. */
  done(): Promise<void>;
}

export function createInFlight(most: number): InFlight {
  const running = new Set<Promise<void>>();
  const lastOf = new Map<string, Promise<void>>();
  return {
    room: () => (running.size < most ? undefined : Promise.race(running)),
    begin(key, work) {
      const before = key === undefined ? undefined : lastOf.get(key);
      const run = (before === undefined ? work() : before.then(work)).finally(() => {
        running.delete(run);
        if (key !== undefined && lastOf.get(key) === run) lastOf.delete(key);
      });
      running.add(run);
      if (key !== undefined) lastOf.set(key, run);
    },
    async done() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
