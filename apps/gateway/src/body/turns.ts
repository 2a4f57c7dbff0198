import type { Turn } from '@rubrica/process';
import { createFairQueue } from '@rubrica/wiring/shares';

/** Lets one piece of long work run in each turn of the event loop: callers take turns, and pieces of one come in their order. */
export interface Turns {
  of(caller: string): Turn;
}

/** Calls back after a turn of the event loop, in which other calls run. */
export type EndOfTurn = (next: () => void, waiting: number) => void;

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

export function createTurns(endOfTurn: EndOfTurn = yieldToOthers): Turns {
  const waiting = createFairQueue<() => void>();
  let isTaken = false;
  const next = () => {
    const go = waiting.next();
    isTaken = go !== undefined;
    if (go === undefined) return;
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
    endOfTurn(next, waiting.size);
    return undefined;
  };
  return { of: (caller) => ({ take: () => take(caller) }) };
}
