import { askApi } from '../jetstream/api.ts';
import { chunkOf, type Store } from './layout.ts';
import { fromLeader, nextMessage, subjectsOf } from './messages.ts';

export interface SweepOptions {
  /** Longer than may pass between an object's last chunk and its entry being kept. */
  readonly olderThanMs: number;
  /** Which of these objects have an entry that is still wanted. */
  readonly wanted: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface Swept {
  /** Objects, whole or not. */
  readonly removed: number;
  /** Chunks under subjects that no upload makes, whatever their age: no row can name them. Removed. */
  readonly foreign: number;
}

const batchSize = 500;

/**
 * Removes objects that nobody wants and that were last written to at least `olderThanMs` ago, and what no upload makes:
 * left there, it would keep the bucket full.
 */
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
  const { last } = byObject(await subjectsOf(bus, layout.stream));
  for (const [id, { subject }] of last) {
    const chunk = await fromLeader(bus, layout.stream, subject);
    if (chunk !== undefined && chunk.storedAt.getTime() <= before) yield { id, storedAt: chunk.storedAt };
  }
}

export async function removeObject({ bus, layout }: Store, id: string): Promise<void> {
  await askApi(bus, `${bus.apiPrefix}.STREAM.PURGE.${layout.stream}`, { filter: layout.chunksOf(id) });
}

/**
 * By an exact filter where the subject is one. A token `*` or `>` would match other chunks too, and one beyond ASCII may
 * be shown otherwise than it is stored: these are looked for among all messages, last, because that takes long.
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
    if (chunkOf(subject) === undefined) {
      const request = { seq: sequence, no_erase: true };
      await askApi(bus, `${bus.apiPrefix}.STREAM.MSG.DELETE.${layout.stream}`, request);
    }
    found = await nextMessage(bus, layout.stream, sequence + 1);
  }
}

/** Tells whether the subject means itself alone where it is a filter. */
function isExact(subject: string): boolean {
  return subject.split('.').every((token) => /^[\x21-\x7e]+$/.test(token) && token !== '*' && token !== '>');
}

/** The chunk with the highest number of each object: the one that was written last. */
function byObject(subjects: readonly string[]) {
  const last = new Map<string, { readonly n: number; readonly subject: string }>();
  const foreign: string[] = [];
  for (const subject of subjects) {
    const chunk = chunkOf(subject);
    if (chunk === undefined) foreign.push(subject);
    else if (chunk.n >= (last.get(chunk.id)?.n ?? 0)) last.set(chunk.id, { n: chunk.n, subject });
  }
  return { last, foreign };
}
