import { DiscardPolicy, nanos, RetentionPolicy, StorageType } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { type Ensured, ensureStream, managerOf } from '../jetstream/streams.ts';
import type { ByteSource } from './chunks.ts';
import { allMeta, infoOf, metaOf, type ObjectInfo, purge } from './entries.ts';
import { type StoredObject, storedObject } from './get.ts';
import { layoutOf } from './layout.ts';
import { type PutOptions, put } from './put.ts';
import { sweepUnfinished } from './sweep.ts';
import { openUpload, type Upload } from './upload.ts';

export interface ObjectStore {
  /** Resolves when the object is on file whole; until then nobody sees any of it. Replaces one of the same name. */
  put(name: string, source: ByteSource, options?: PutOptions): Promise<ObjectInfo>;
  /** Begins an object whose name comes last: for bytes that arrive before it is known whether they are wanted. */
  upload(): Upload;
  get(name: string): Promise<StoredObject | undefined>;
  info(name: string): Promise<ObjectInfo | undefined>;
  /** False when there was none. Leaves no marker behind. */
  delete(name: string): Promise<boolean>;
  /** Oldest first; with `olderThanMs` only objects stored at least that long ago. */
  list(options?: { olderThanMs?: number }): AsyncIterable<ObjectInfo>;
  /**
   * Removes chunks of puts that never ended, begun at least `olderThanMs` ago: longer than any put may take.
   * Returns how many puts.
   */
  sweepUnfinished(options: { olderThanMs: number }): Promise<number>;
}

export interface BucketDefinition {
  /** Letters, digits, "_" and "-". */
  readonly bucket: string;
  readonly maxBytes: number;
  readonly replicas?: number;
}

/** Makes the bucket's stream exist: on file, refusing when full, readable from every replica. */
export async function ensureBucket(bus: Bus, definition: BucketDefinition): Promise<Ensured> {
  const layout = layoutOf(definition.bucket);
  return ensureStream(await managerOf(bus), {
    name: layout.stream,
    subjects: [layout.allChunks, layout.allMeta],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    storage: StorageType.File,
    max_age: nanos(0),
    max_bytes: definition.maxBytes,
    num_replicas: definition.replicas ?? 1,
    allow_direct: true,
    allow_rollup_hdrs: true,
  });
}

/**
 * An object store in a bucket that `ensureBucket` made; failures are `JetStreamError`s. The client's own hashes
 * in JavaScript, looks up the old object before it begins, and makes a consumer for each read and listing.
 */
export function objectStore(bus: Bus, bucket: string): ObjectStore {
  const layout = layoutOf(bucket);
  const store = { bus, layout };
  return {
    put: (name, source, options = {}) => put(store, { name, source, ...options }),
    upload: () => openUpload(store),
    async get(name) {
      const meta = await metaOf(store, name);
      return meta === undefined ? undefined : storedObject(store, meta);
    },
    async info(name) {
      const meta = await metaOf(store, name);
      return meta === undefined ? undefined : infoOf(meta);
    },
    async delete(name) {
      const meta = await metaOf(store, name);
      if (meta === undefined) return false;
      // Chunks first: a crash in between leaves an entry that can be deleted again, not bytes nobody names.
      await purge(store, layout.chunkSubject(meta.nuid));
      await purge(store, layout.metaSubject(name));
      return true;
    },
    async *list({ olderThanMs } = {}) {
      const before = olderThanMs === undefined ? Number.POSITIVE_INFINITY : Date.now() - olderThanMs;
      for await (const meta of allMeta(store)) {
        const info = infoOf(meta);
        if (info.storedAt.getTime() <= before) yield info;
      }
    },
    sweepUnfinished: ({ olderThanMs }) => sweepUnfinished(store, Date.now() - olderThanMs),
  };
}
