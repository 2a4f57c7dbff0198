import { raceAbort } from './race-abort.ts';

/**
 * Waits.
 * @throws the reason of the signal, immediately when it aborts
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await raceAbort(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
}
