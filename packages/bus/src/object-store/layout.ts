import { randomBytes } from 'node:crypto';
import type { Bus } from '../connection/connect-bus.ts';

/**
 * Layout of a bucket in a stream: each chunk has its own subject, so that the stream can refuse a second message on it.
 * It differs from the layout of `nats object`, whose chunks share a subject and whose entries must be replaceable.
 */
export interface Layout {
  readonly stream: string;
  /**
   * `n` counts from 0.
   * @throws TypeError for an id that would be more than one plain token
   */
  readonly chunkSubject: (id: string, n: number) => string;
  /**
   * Filter for all chunks of one object.
   * @throws TypeError like `chunkSubject`
   */
  readonly chunksOf: (id: string) => string;
  readonly allChunks: string;
}

/** Bucket on a connection. */
export interface Store {
  readonly bus: Bus;
  readonly layout: Layout;
}

/** Everything needed to read an object. The bucket does not store it; the owner of the object does. */
export interface ObjectEntry {
  readonly id: string;
  readonly chunks: number;
  readonly sizeBytes: number;
  /** Digest of all bytes, hex. */
  readonly sha256: string;
}

const bucketPattern = /^[A-Za-z0-9_-]{1,60}$/;
const idPattern = /^[A-Za-z0-9_-]{1,60}$/;

export function createLayout(bucket: string): Layout {
  if (!bucketPattern.test(bucket)) throw new TypeError(`Not a bucket name: ${JSON.stringify(bucket)}`);
  const prefix = `$O.${bucket}.C.`;
  return {
    stream: `OBJ_${bucket}`,
    chunkSubject: (id, n) => `${prefix}${checkId(id)}.${n}`,
    chunksOf: (id) => `${prefix}${checkId(id)}.*`,
    allChunks: `${prefix}*.*`,
  };
}

export function newObjectId(): string {
  return randomBytes(16).toString('hex');
}

export interface ChunkName {
  readonly id: string;
  readonly n: number;
}

/** Parses the chunk that a subject names; undefined for a subject that `chunkSubject` does not create. */
export function parseChunk(subject: string): ChunkName | undefined {
  const [id = '', n = ''] = subject.split('.').slice(3);
  return idPattern.test(id) && /^\d{1,9}$/.test(n) ? { id, n: Number(n) } : undefined;
}

/**
 * Checks an id. nats-server accepts messages on subjects with `*` in them: as a filter, such an id would mean every
 * object.
 */
function checkId(id: string): string {
  if (idPattern.test(id)) return id;
  throw new TypeError(`Not an object's id: ${JSON.stringify(id)}`);
}
