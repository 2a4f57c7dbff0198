const preload = new URL('shift-clock.mjs', import.meta.url).href;

/** Environment for a process of Node whose clock is off: ahead with a positive number, behind with a negative one. */
export function shiftedClock(aheadMs: number): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_MS: String(aheadMs) };
}
