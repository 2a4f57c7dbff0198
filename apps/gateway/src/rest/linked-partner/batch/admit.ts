import { setTimeout as pauseFor } from 'node:timers/promises';

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
