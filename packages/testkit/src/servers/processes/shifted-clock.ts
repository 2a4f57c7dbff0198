const preload = new URL('shift-clock.mjs', import.meta.url).href;

/**
 * Returns the environment of a Node process with a wrong clock: a positive number sets it ahead, a negative one behind.
 */
export function shiftedClock(aheadMs: number): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_MS: String(aheadMs) };
}
