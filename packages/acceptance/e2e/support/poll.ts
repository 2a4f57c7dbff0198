import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until there is an answer; fails with what was waited for and how far it got. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  { deadlineMs = 60_000, everyMs = 50, seen = () => '' as unknown } = {},
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) {
      throw new Error(`${what}: not within ${deadlineMs} ms. ${JSON.stringify(seen())}`);
    }
    await delay(everyMs);
  }
}
