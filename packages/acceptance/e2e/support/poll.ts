import { setTimeout as delay } from 'node:timers/promises';

const longestPauseMs = 1_000;

/**
 * Polls until there is an answer; fails with the description and the progress. It polls less often over time: twenty
 * waits for leases to end would otherwise keep the stack busy.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  { deadlineMs = 60_000, everyMs = 50, seen = () => '' as unknown } = {},
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const waitedMs = performance.now() - begun;
    if (waitedMs > deadlineMs) {
      throw new Error(`${what}: not within ${deadlineMs} ms. ${JSON.stringify(seen())}`);
    }
    await delay(Math.max(everyMs, Math.min(waitedMs / 10, longestPauseMs)));
  }
}
