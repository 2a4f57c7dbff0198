import { JetStreamError } from '../jetstream/jetstream-error.ts';
import type { ByteSource } from './chunks.ts';
import { metaOf, type ObjectInfo, purge, type Store } from './entries.ts';
import { newChunkId } from './layout.ts';
import { openUpload } from './upload.ts';

export interface PutOptions {
  /** Small text of the caller's, kept beside the object in plain. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Promises that the name was never used, which spares looking for an object to replace. */
  readonly fresh?: boolean;
}

/** Bounds what a put holds in memory, whatever the source's pace. */
const maxUnderWayBytes = 2 * 1024 * 1024;
const stepBytes = 128 * 1024;

/** Chunks first, then the entry that makes them an object. */
export async function put(
  store: Store,
  object: PutOptions & { name: string; source: ByteSource },
): Promise<ObjectInfo> {
  const { layout } = store;
  const { name, source, metadata, fresh = false } = object;
  // A name that cannot be is refused before anything is sent.
  layout.metaSubject(name);
  const old = fresh ? undefined : await metaOf(store, name);
  const id = newChunkId(Date.now());
  const upload = openUpload(store, id);
  try {
    for await (const piece of source instanceof Uint8Array ? [source] : source) {
      for (let at = 0; at < piece.length; at += stepBytes) {
        upload.write(piece.subarray(at, at + stepBytes));
        while (upload.underWayBytes() > maxUnderWayBytes) await upload.acknowledged();
      }
    }
    const info = await upload.commit(name, metadata);
    if (old !== undefined) await purgeLater(store, layout.chunkSubject(old.nuid));
    return info;
  } catch (error) {
    // An entry that may be on file must keep its chunks.
    if (!(error instanceof JetStreamError) || error.stored === 'no') {
      await purgeLater(store, layout.chunkSubject(id));
    }
    throw error;
  }
}

/** Chunks that no entry names are harmless: what cannot be removed now, `sweepUnfinished` removes. */
async function purgeLater(store: Store, filter: string): Promise<void> {
  await purge(store, filter).catch(() => undefined);
}
