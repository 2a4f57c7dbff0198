import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions<Value> {
  readonly look: () => Promise<Value>;
  readonly isOver: (value: Value) => boolean;
  /** Subscribes to hints that the value may have changed. */
  readonly listen: (onHint: () => void) => () => void;
  readonly totalMs: number;
  /** Intervals between two checks: without a hint, and after one, when intake may still be storing the change. */
  readonly pace: { readonly lookMs: number; readonly afterHintMs: number };
  /** Fires when the caller disconnects or the process stops. */
  readonly signal: AbortSignal;
}

/**
 * Checks repeatedly until the value is final or the time is up.
 * @returns the last value
 */
export async function waitFor<Value>(options: WaitOptions<Value>): Promise<Value> {
  const { look, isOver, pace, signal } = options;
  const hints = new EventTarget();
  let isHinted = false;
  const unsubscribe = options.listen(() => {
    isHinted = true;
    hints.dispatchEvent(new Event('hint'));
  });
  const endsAt = performance.now() + options.totalMs;
  try {
    for (;;) {
      const value = await look();
      const leftMs = endsAt - performance.now();
      if (isOver(value) || leftMs <= 0 || signal.aborted) return value;
      await pause(hints, {
        ms: Math.min(leftMs, isHinted ? pace.afterHintMs : pace.lookMs),
        signal,
        isHinted,
      });
    }
  } finally {
    unsubscribe();
  }
}

/** Pauses until the first hint. Later hints change nothing, because checks are frequent by then. */
async function pause(
  hints: EventTarget,
  { ms, signal, isHinted }: { ms: number; signal: AbortSignal; isHinted: boolean },
): Promise<void> {
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([signal, ended.signal]) };
  const ends = [delay(ms, undefined, options), ...(isHinted ? [] : [once(hints, 'hint', options)])];
  try {
    await Promise.race(ends).catch(() => undefined);
  } finally {
    ended.abort();
    await Promise.allSettled(ends);
  }
}
