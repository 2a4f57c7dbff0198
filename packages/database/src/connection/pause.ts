import { setTimeout as delay } from 'node:timers/promises';

/** Calculates the pause after consecutive failures: doubled each time, up to 5 s. */
export function failurePauseMs(failures: number): number {
  return Math.min(50 * 2 ** failures, 5_000);
}

/** Waits for about that time, randomised so that copies do not return together, or until the signal. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
}
