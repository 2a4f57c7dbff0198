import { setTimeout as pauseFor } from 'node:timers/promises';

export interface Admission {
  /** Counts one more; how long it has to wait before it is counted again, 0 where it may go. */
  readonly waitMs: () => Promise<number>;
  /** Ends the wait; nothing is counted after it. */
  readonly stop: AbortSignal;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

function pauseUntil(ms: number, signal: AbortSignal): Promise<unknown> {
  return pauseFor(ms, undefined, { signal }).catch(() => undefined);
}

/** Waits until a line is within the rate limit, as it is not to fail for it. */
export async function admit({ waitMs, stop, pause = pauseUntil }: Admission): Promise<void> {
  while (!stop.aborted) {
    const ms = await waitMs();
    if (ms === 0) return;
    await pause(ms, stop);
  }
}
