import { DiscardPolicy, nanos, RetentionPolicy, StorageType } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { type Ensured, ensureStream, ignoreNotFound, openManager } from '../jetstream/streams.ts';
import { type StoredObject, storedObject } from './get.ts';
import { createLayout, type ObjectEntry } from './layout.ts';
import {
  type ListedObject,
  listObjects,
  type ObjectSweepResult,
  removeObject,
  type SweepOptions,
  sweep,
} from './sweep.ts';
import { openUpload, type Upload, type UploadOptions } from './upload.ts';

export interface ObjectStore {
  upload(options?: UploadOptions): Upload;
  /** Creates a reader, without a request yet. */
  get(entry: ObjectEntry): StoredObject;
  /** Removes all its chunks; needs the right to purge. */
  remove(id: string): Promise<void>;
  /** Lists objects, complete or not, that were last written at least `olderThanMs` ago. */
  list(options: { readonly olderThanMs: number }): AsyncIterable<ListedObject>;
  sweep(options: SweepOptions): Promise<ObjectSweepResult>;
}

export interface BucketDefinition {
  /** Letters, digits, "_" and "-". */
  readonly bucket: string;
  readonly maxBytes: number;
  readonly replicas?: number;
  /** Leaves a larger bucket unchanged: an operator may have raised its size. */
  readonly keepsLarger?: boolean;
}

/**
 * Creates or updates the bucket's stream: on file, refusing when full, readable from every replica, **write-once**.
 * Writers can neither overwrite nor roll up a chunk; only users with the right to purge can remove it.
 */
export async function ensureBucket(bus: Bus, definition: BucketDefinition): Promise<Ensured> {
  const layout = createLayout(definition.bucket);
  const manager = await openManager(bus);
  const found = definition.keepsLarger
    ? await ignoreNotFound(() => manager.streams.info(layout.stream))
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
 * Creates an object store in a bucket of `ensureBucket`; failures are `JetStreamError`s. The client's own store keeps
 * the entries of objects in the bucket, where every writer may replace them.
 */
export function objectStore(bus: Bus, bucket: string): ObjectStore {
  const store = { bus, layout: createLayout(bucket) };
  return {
    upload: (options) => openUpload(store, options),
    get: (entry) => storedObject(store, entry),
    remove: (id) => removeObject(store, id),
    list: (options) => listObjects(store, options),
    sweep: (options) => sweep(store, options),
  };
}
