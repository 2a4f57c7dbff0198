import type { WorkSlot } from '@rubrica/process/bodies';
import { createFairQueue } from '@rubrica/wiring/shares';

/**
 * Schedules long work: one caller's per tick of the event loop, for about two milliseconds. Callers alternate, and
 * pieces of one run in order.
 */
export interface WorkScheduler {
  of(caller: string): WorkSlot;
}

export interface WorkSchedulerOptions {
  /** Calls back after a tick of the event loop, in which other calls run. */
  readonly endOfTurn?: (next: () => void, waiting: number) => void;
  readonly nowMs?: () => number;
}

/** Maximum duration of one slot; the current slice is finished. */
const slotMs = 2;

/** Number of waiting pieces above which slots are spaced out. */
const maxWaitingUnpaced = 2;
const pacedPauseMs = 3;

/**
 * Schedules the next slot. One or two bodies may use every tick. More would fill all ticks and delay other calls, so
 * they get one slot every three milliseconds, about 20 MB of bodies per second.
 */
function yieldToOthers(next: () => void, waiting: number): void {
  if (waiting > maxWaitingUnpaced) setTimeout(next, pacedPauseMs);
  else setImmediate(next);
}

export function createWorkScheduler({
  endOfTurn = yieldToOthers,
  nowMs = () => performance.now(),
}: WorkSchedulerOptions = {}): WorkScheduler {
  const waiting = createFairQueue<() => void>();
  let isTaken = false;
  let startedMs = 0;
  const next = () => {
    const run = waiting.next();
    isTaken = run !== undefined;
    if (run === undefined) return;
    startedMs = nowMs();
    run();
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
    startedMs = nowMs();
    endOfTurn(next, waiting.size);
    return undefined;
  };
  const hasEnded = () => nowMs() - startedMs >= slotMs;
  return { of: (caller) => ({ take: () => take(caller), hasEnded }) };
}
