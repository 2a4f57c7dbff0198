import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until the answer is not undefined, null or false, and returns it. Throws once the deadline has passed, with the
 * last error if polling itself failed.
 */
export async function pollFor<T>(
  ask: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  options: { deadlineMs?: number; everyMs?: number; what?: string } = {},
): Promise<T> {
  const { deadlineMs = 120_000, everyMs = 25, what = ask.toString().slice(0, 120) } = options;
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    let failure: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`not within ${deadlineMs} ms: ${what}`, { cause: failure });
    }
    await delay(everyMs);
  }
}
