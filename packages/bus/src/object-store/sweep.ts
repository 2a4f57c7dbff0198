import { allMeta, purge, type Store } from './entries.ts';
import { madeAt } from './layout.ts';
import { subjectsOf } from './messages.ts';

/** Removes chunks that were begun before `beforeMs` (epoch) and belong to no object; returns how many puts. */
export async function sweepUnfinished(store: Store, beforeMs: number): Promise<number> {
  const { bus, layout } = store;
  const old = new Map<string, string>();
  // Chunks before entries: whatever ends its put in between is seen as whole.
  for (const subject of await subjectsOf(bus, layout.stream, layout.allChunks)) {
    const id = subject.slice(layout.chunkSubject('').length);
    if ((madeAt(id) ?? Number.POSITIVE_INFINITY) <= beforeMs) old.set(id, subject);
  }
  if (old.size > 0) for await (const meta of allMeta(store)) old.delete(meta.nuid);
  for (const subject of old.values()) await purge(store, subject);
  return old.size;
}
