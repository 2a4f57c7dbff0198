import { DiscardPolicy, nanos, RetentionPolicy, StorageType } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { type Ensured, ensureStream, managerOf, orNothing } from '../jetstream/streams.ts';
import { type StoredObject, storedObject } from './get.ts';
import { layoutOf, type ObjectEntry } from './layout.ts';
import {
  type ListedObject,
  listObjects,
  removeObject,
  type SweepOptions,
  type Swept,
  sweep,
} from './sweep.ts';
import { openUpload, type Upload, type UploadOptions } from './upload.ts';

export interface ObjectStore {
  upload(options?: UploadOptions): Upload;
  /** Asks nothing yet. */
  get(entry: ObjectEntry): StoredObject;
  /** All its chunks; for who may purge. */
  remove(id: string): Promise<void>;
  /** Objects, whole or not, that were last written to at least `olderThanMs` ago. */
  list(options: { readonly olderThanMs: number }): AsyncIterable<ListedObject>;
  sweep(options: SweepOptions): Promise<Swept>;
}

export interface BucketDefinition {
  /** Letters, digits, "_" and "-". */
  readonly bucket: string;
  readonly maxBytes: number;
  readonly replicas?: number;
  /** Leaves a bucket alone that may hold more: an operator may have raised it. */
  readonly keepsLarger?: boolean;
}

/**
 * Makes the bucket's stream exist: on file, refusing when full, readable from every replica, **write-once**. A chunk can
 * neither be overwritten nor be rolled up by who may write; only who may purge can remove it.
 */
export async function ensureBucket(bus: Bus, definition: BucketDefinition): Promise<Ensured> {
  const layout = layoutOf(definition.bucket);
  const manager = await managerOf(bus);
  const found = definition.keepsLarger
    ? await orNothing(() => manager.streams.info(layout.stream))
    : undefined;
  return ensureStream(manager, {
    name: layout.stream,
    subjects: [layout.allChunks],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    discard_new_per_subject: true,
    allow_rollup_hdrs: false,
    storage: StorageType.File,
    max_age: nanos(0),
    max_bytes: Math.max(definition.maxBytes, found?.config.max_bytes ?? 0),
    num_replicas: definition.replicas ?? 1,
    allow_direct: true,
  });
}

/**
 * An object store in a bucket that `ensureBucket` made; failures are `JetStreamError`s. The client's own keeps the
 * entries of objects in the bucket, where whoever may write may replace them.
 */
export function objectStore(bus: Bus, bucket: string): ObjectStore {
  const store = { bus, layout: layoutOf(bucket) };
  return {
    upload: (options) => openUpload(store, options),
    get: (entry) => storedObject(store, entry),
    remove: (id) => removeObject(store, id),
    list: (options) => listObjects(store, options),
    sweep: (options) => sweep(store, options),
  };
}
