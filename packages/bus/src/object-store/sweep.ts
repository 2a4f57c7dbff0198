import { askApi } from '../jetstream/api.ts';
import { parseChunk, type Store } from './layout.ts';
import { fromLeader, listSubjects, nextMessage } from './messages.ts';

export interface SweepOptions {
  /** Longer than the time between an object's last chunk and the storage of its entry. */
  readonly olderThanMs: number;
  /** Selects the objects with an entry that is still wanted. */
  readonly wanted: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface ObjectSweepResult {
  /** Number of objects, complete or not. */
  readonly removed: number;
  /** Number of chunks, of any age, under subjects that no upload creates, so that no row can name them. Removed. */
  readonly foreign: number;
}

const batchSize = 500;

/**
 * Removes objects that nobody wants and that were last written at least `olderThanMs` ago, and chunks that no upload
 * creates, which would keep the bucket full.
 */
export async function sweep(store: Store, { olderThanMs, wanted }: SweepOptions): Promise<ObjectSweepResult> {
  const { bus, layout } = store;
  const before = Date.now() - olderThanMs;
  // Chunks before entries: an object whose entry is stored in between counts as wanted.
  const { last, foreign } = groupByObject(await listSubjects(bus, layout.stream));
  const ids = [...last.keys()];
  let removed = 0;
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize);
    const kept = await wanted(batch);
    for (const id of batch.filter((one) => !kept.has(one))) {
      // By the stream's own time: an id or a chunk states only what the uploader wrote.
      const chunk = await fromLeader(bus, layout.stream, last.get(id)?.subject ?? '');
      if (chunk === undefined || chunk.storedAt.getTime() > before) continue;
      await removeObject(store, id);
      removed += 1;
    }
  }
  await removeForeign(store, foreign);
  return { removed, foreign: foreign.length };
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
  const { last } = groupByObject(await listSubjects(bus, layout.stream));
  for (const [id, { subject }] of last) {
    const chunk = await fromLeader(bus, layout.stream, subject);
    if (chunk !== undefined && chunk.storedAt.getTime() <= before) yield { id, storedAt: chunk.storedAt };
  }
}

export async function removeObject({ bus, layout }: Store, id: string): Promise<void> {
  await askApi(bus, `${bus.apiPrefix}.STREAM.PURGE.${layout.stream}`, { filter: layout.chunksOf(id) });
}

/**
 * Removes foreign chunks, by an exact filter where the subject allows it. A token `*` or `>` would match other chunks
 * too, and one beyond ASCII may be displayed differently from its stored form. These are searched among all messages,
 * last, because that takes long.
 */
async function removeForeign({ bus, layout }: Store, subjects: readonly string[]): Promise<void> {
  const exact = subjects.filter(isExact);
  for (const filter of exact) {
    await askApi(bus, `${bus.apiPrefix}.STREAM.PURGE.${layout.stream}`, { filter });
  }
  if (exact.length === subjects.length) return;
  let found = await nextMessage(bus, layout.stream, 1);
  while (found !== undefined) {
    const { sequence, subject } = found;
    if (parseChunk(subject) === undefined) {
      const request = { seq: sequence, no_erase: true };
      await askApi(bus, `${bus.apiPrefix}.STREAM.MSG.DELETE.${layout.stream}`, request);
    }
    found = await nextMessage(bus, layout.stream, sequence + 1);
  }
}

/** Tells whether the subject as a filter matches only itself. */
function isExact(subject: string): boolean {
  return subject.split('.').every((token) => /^[\x21-\x7e]+$/.test(token) && token !== '*' && token !== '>');
}

/** Finds the chunk with the highest number of each object, which was written last. */
function groupByObject(subjects: readonly string[]) {
  const last = new Map<string, { readonly n: number; readonly subject: string }>();
  const foreign: string[] = [];
  for (const subject of subjects) {
    const chunk = parseChunk(subject);
    if (chunk === undefined) foreign.push(subject);
    else if (chunk.n >= (last.get(chunk.id)?.n ?? 0)) last.set(chunk.id, { n: chunk.n, subject });
  }
  return { last, foreign };
}
