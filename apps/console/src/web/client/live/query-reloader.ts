import type { QueryClient } from '@tanstack/react-query';
import { isLiveQuery, selectAffectedQueries } from './affected-queries.ts';
import type { LiveEvent } from './event-stream.ts';

/** Minimum interval between reloads, however many events arrive. */
const minIntervalMs = 1_000;
/** Delay after which effects in other services are visible. */
const laterEffectsMs = 2_500;

export interface QueryReloader {
  /** Reloads the displayed queries that the event affects. */
  after(event: LiveEvent): void;
  /** Reloads everything that could have changed unnoticed. */
  all(): void;
  stop(): void;
}

/** Creates the reload of affected queries: immediately, then at most once per interval for all later events. */
export function createQueryReloader(
  queries: Pick<QueryClient, 'getQueryCache' | 'invalidateQueries'>,
): QueryReloader {
  const due = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let isPausing = false;
  const schedule = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const reload = () => {
    if (isPausing || due.size === 0) return;
    const reloaded = new Set(due);
    due.clear();
    isPausing = true;
    schedule(minIntervalMs, () => {
      isPausing = false;
      reload();
    });
    void queries.invalidateQueries({ predicate: ({ queryHash }) => reloaded.has(queryHash) });
  };
  const add = (isConcerned: (key: readonly unknown[]) => boolean) => {
    for (const { queryKey, queryHash } of queries.getQueryCache().getAll())
      if (isConcerned(queryKey)) due.add(queryHash);
    reload();
  };
  return {
    after(event) {
      const { isConcerned, again } = selectAffectedQueries(event);
      add(isConcerned);
      if (again) schedule(laterEffectsMs, () => add(isConcerned));
    },
    all: () => add(isLiveQuery),
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
