import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions<Value> {
  readonly look: () => Promise<Value>;
  readonly isOver: (value: Value) => boolean;
  /** Tells when a look may be worth it; a hint only. */
  readonly listen: (hear: () => void) => () => void;
  readonly totalMs: number;
  /** Between two looks: without a hint, and after one, when others have yet to write down what it hints at. */
  readonly pace: { readonly lookMs: number; readonly afterHintMs: number };
  /** The caller has gone, or the process stops. */
  readonly signal: AbortSignal;
}

/**
 * Looks until what it sees is over, or the time is.
 * @returns what was seen last
 */
export async function waitFor<Value>(options: WaitOptions<Value>): Promise<Value> {
  const { look, isOver, pace, signal } = options;
  const hints = new EventTarget();
  let heard = false;
  const deaf = options.listen(() => {
    heard = true;
    hints.dispatchEvent(new Event('hint'));
  });
  const endsAt = performance.now() + options.totalMs;
  try {
    for (;;) {
      const value = await look();
      const leftMs = endsAt - performance.now();
      if (isOver(value) || leftMs <= 0 || signal.aborted) return value;
      await pause(hints, { ms: Math.min(leftMs, heard ? pace.afterHintMs : pace.lookMs), signal, heard });
    }
  } finally {
    deaf();
  }
}

/** Ends early at the first hint; later ones change nothing, for looks are frequent by then. */
async function pause(
  hints: EventTarget,
  { ms, signal, heard }: { ms: number; signal: AbortSignal; heard: boolean },
): Promise<void> {
  const over = new AbortController();
  const options = { signal: AbortSignal.any([signal, over.signal]) };
  const ends = [delay(ms, undefined, options), ...(heard ? [] : [once(hints, 'hint', options)])];
  try {
    await Promise.race(ends).catch(() => undefined);
  } finally {
    over.abort();
    await Promise.allSettled(ends);
  }
}
