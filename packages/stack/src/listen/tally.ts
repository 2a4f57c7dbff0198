import { printable } from './body-view.ts';
import type { SeenCall } from './seen-call.ts';

export interface Tally {
  /**
   * Counts a call with this id.
   * @returns its number, from 1
   */
  attempt(id: string): number;
  add(call: SeenCall): void;
  /** Lists the lines of the summary. */
  summary(): string[];
}

/** Ids come from outside; a flood of new ones removes the oldest. */
const maxIds = 10_000;

export function createTally(): Tally {
  const attempts = new Map<string, number>();
  const events = new Map<string, number>();
  const faults = new Map<string, number>();
  let calls = 0;
  let ids = 0;
  return {
    attempt(id) {
      const count = (attempts.get(id) ?? 0) + 1;
      if (count === 1) ids += 1;
      attempts.set(id, count);
      const [oldest] = attempts.keys();
      if (attempts.size > maxIds && oldest !== undefined) attempts.delete(oldest);
      return count;
    },
    add({ event, verdict }) {
      calls += 1;
      count(events, event === '' ? 'without an event' : printable(event));
      if (!verdict.valid) count(faults, verdict.fault);
    },
    summary() {
      if (calls === 0) return ['No webhook came.'];
      const refused = [...faults.values()].reduce((sum, number) => sum + number, 0);
      return [
        `${plural(calls, 'call')} of ${plural(ids, 'event')}: ${list(events)}`,
        refused === 0
          ? 'every signature valid'
          : `${calls - refused} valid, ${refused} refused: ${list(faults)}`,
      ];
    },
  };
}

function count(counts: Map<string, number>, key: string): void {
  // The caller chooses names, so only about as many as there are kinds of events get their own count.
  const name = counts.has(key) || counts.size < 10 ? key : 'others';
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function plural(number: number, noun: string) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function list(counts: ReadonlyMap<string, number>) {
  return [...counts].map(([name, number]) => `${number} ${name}`).join(', ');
}
