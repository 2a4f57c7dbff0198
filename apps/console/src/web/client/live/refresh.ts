import type { QueryClient } from '@tanstack/react-query';
import { concernedBy, isFollowed } from './concerned.ts';
import type { LiveEvent } from './event-stream.ts';

/** However much happens, a page asks no more often. */
const gapMs = 1_000;
/** What an event has led to elsewhere is there by then. */
const againMs = 2_500;

export interface Refresh {
  /** What is shown and concerned by the event is asked anew. */
  after(event: LiveEvent): void;
  /** All that could have changed unheard. */
  all(): void;
  stop(): void;
}

/** Asks anew what events concern: at once, and then at most once in a while with all that came meanwhile. */
export function createRefresh(queries: Pick<QueryClient, 'getQueryCache' | 'invalidateQueries'>): Refresh {
  const due = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let isPausing = false;
  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const ask = () => {
    if (isPausing || due.size === 0) return;
    const asked = new Set(due);
    due.clear();
    isPausing = true;
    later(gapMs, () => {
      isPausing = false;
      ask();
    });
    void queries.invalidateQueries({ predicate: ({ queryHash }) => asked.has(queryHash) });
  };
  const add = (isConcerned: (key: readonly unknown[]) => boolean) => {
    for (const { queryKey, queryHash } of queries.getQueryCache().getAll())
      if (isConcerned(queryKey)) due.add(queryHash);
    ask();
  };
  return {
    after(event) {
      const { isConcerned, again } = concernedBy(event);
      add(isConcerned);
      if (again) later(againMs, () => add(isConcerned));
    },
    all: () => add(isFollowed),
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
