import { setTimeout as pauseFor } from 'node:timers/promises';

/** Concurrent work with a limit. */
export interface InFlight {
  /** Returns what to await before starting more; undefined while there is capacity. */
  room(): Promise<void> | undefined;
  /** Starts work, after earlier work with the same key. It must not fail. */
  begin(key: string | undefined, work: () => Promise<void>): void;
  /** Resolves when nothing is running. */
  done(): Promise<void>;
}

export function createInFlight(most: number): InFlight {
  const running = new Set<Promise<void>>();
  const lastByKey = new Map<string, Promise<void>>();
  return {
    room: () => (running.size < most ? undefined : Promise.race(running)),
    begin(key, work) {
      const previous = key === undefined ? undefined : lastByKey.get(key);
      const run = (previous === undefined ? work() : previous.then(work)).finally(() => {
        running.delete(run);
        if (key !== undefined && lastByKey.get(key) === run) lastByKey.delete(key);
      });
      running.add(run);
      if (key !== undefined) lastByKey.set(key, run);
    },
    async done() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export interface Admission {
  /** Counts one more line; returns the milliseconds to wait before counting again, 0 where it is admitted. */
  readonly waitMs: () => Promise<number>;
  /** Ends the wait; nothing is counted afterwards. */
  readonly stop: AbortSignal;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

function pauseUntil(ms: number, signal: AbortSignal): Promise<unknown> {
  return pauseFor(ms, undefined, { signal }).catch(() => undefined);
}

/** Waits until a line is within the rate limit, so that it does not fail because of it. */
export async function admit({ waitMs, stop, pause = pauseUntil }: Admission): Promise<void> {
  while (!stop.aborted) {
    const ms = await waitMs();
    if (ms === 0) return;
    await pause(ms, stop);
  }
}
