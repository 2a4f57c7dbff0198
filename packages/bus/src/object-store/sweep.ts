import { askApi } from '../jetstream/api.ts';
import { chunkOf, type Store } from './layout.ts';
import { fromLeader, subjectsOf } from './messages.ts';

export interface SweepOptions {
  /** Longer than may pass between an object's last chunk and its entry being kept. */
  readonly olderThanMs: number;
  /** Which of these objects have an entry that is still wanted. */
  readonly wanted: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface Swept {
  /** Objects, whole or not. */
  readonly removed: number;
  /** Chunks under subjects that no upload makes. They stay: no filter could name them and nothing else. */
  readonly foreign: number;
}

const batchSize = 500;

/** Removes objects that nobody wants and that were last written to at least `olderThanMs` ago. */
export async function sweep(store: Store, { olderThanMs, wanted }: SweepOptions): Promise<Swept> {
  const { bus, layout } = store;
  const before = Date.now() - olderThanMs;
  // Chunks before entries: an object whose entry comes in between is seen as wanted.
  const { last, foreign } = byObject(await subjectsOf(bus, layout.stream));
  const ids = [...last.keys()];
  let removed = 0;
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize);
    const kept = await wanted(batch);
    for (const id of batch.filter((one) => !kept.has(one))) {
      // By the stream's own time: what an id or a chunk says of itself is the uploader's word.
      const chunk = await fromLeader(bus, layout.stream, last.get(id)?.subject ?? '');
      if (chunk === undefined || chunk.storedAt.getTime() > before) continue;
      await removeObject(store, id);
      removed += 1;
    }
  }
  return { removed, foreign };
}

export interface ListedObject {
  readonly id: string;
  readonly storedAt: Date;
}

export async function* listObjects(
  { bus, layout }: Store,
  { olderThanMs }: Pick<SweepOptions, 'olderThanMs'>,
): AsyncGenerator<ListedObject> {
  const before = Date.now() - olderThanMs;
  const { last } = byObject(await subjectsOf(bus, layout.stream));
  for (const [id, { subject }] of last) {
    const chunk = await fromLeader(bus, layout.stream, subject);
    if (chunk !== undefined && chunk.storedAt.getTime() <= before) yield { id, storedAt: chunk.storedAt };
  }
}

export async function removeObject({ bus, layout }: Store, id: string): Promise<void> {
  await askApi(bus, `${bus.apiPrefix}.STREAM.PURGE.${layout.stream}`, { filter: layout.chunksOf(id) });
}

/** The chunk with the highest number of each object: the one that was written last. */
function byObject(subjects: readonly string[]) {
  const last = new Map<string, { readonly n: number; readonly subject: string }>();
  let foreign = 0;
  for (const subject of subjects) {
    const chunk = chunkOf(subject);
    if (chunk === undefined) foreign += 1;
    else if (chunk.n >= (last.get(chunk.id)?.n ?? 0)) last.set(chunk.id, { n: chunk.n, subject });
  }
  return { last, foreign };
}
