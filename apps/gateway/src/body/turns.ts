import type { Turn } from '@rubrica/process';
import { createFairQueue } from '@rubrica/wiring/shares';

/**
 * Lets one caller's long work run in each turn of the event loop, for some two milliseconds. Callers take turns, and
 * pieces of one come in their order.
 */
export interface Turns {
  of(caller: string): Turn;
}

export interface TurnsOptions {
  /** Calls back after a turn of the event loop, in which other calls run. */
  readonly endOfTurn?: (next: () => void, waiting: number) => void;
  readonly nowMs?: () => number;
}

/** Longest time of one turn; the slice in hand is finished. */
const turnMs = 2;

/** With more pieces than these waiting, turns are spaced out. */
const maxEager = 2;
const crowdPauseMs = 3;

/**
 * One or two bodies may use every turn of the event loop. More would fill all turns, so that other calls wait behind
 * them: they get one turn in three milliseconds, some 20 MB of bodies a second.
 */
function yieldToOthers(next: () => void, waiting: number): void {
  if (waiting > maxEager) setTimeout(next, crowdPauseMs);
  else setImmediate(next);
}

export function createTurns({
  endOfTurn = yieldToOthers,
  nowMs = () => performance.now(),
}: TurnsOptions = {}): Turns {
  const waiting = createFairQueue<() => void>();
  let isTaken = false;
  let beganMs = 0;
  const next = () => {
    const go = waiting.next();
    isTaken = go !== undefined;
    if (go === undefined) return;
    beganMs = nowMs();
    go();
    endOfTurn(next, waiting.size);
  };
  const take = (caller: string) => {
    if (isTaken)
      return new Promise<void>((resolve) => {
        waiting.add(caller, () => {
          waiting.end(caller);
          resolve();
        });
      });
    isTaken = true;
    beganMs = nowMs();
    endOfTurn(next, waiting.size);
    return undefined;
  };
  const hasEnded = () => nowMs() - beganMs >= turnMs;
  return { of: (caller) => ({ take: () => take(caller), hasEnded }) };
}
