import { randomBytes } from 'node:crypto';
import type { Bus } from '../connection/connect-bus.ts';

/**
 * How a bucket lies in a stream: each chunk under a subject of its own, so that the stream can refuse a second message
 * on it. That is not the layout of `nats object`, whose chunks share a subject and whose entries must be replaceable.
 */
export interface Layout {
  readonly stream: string;
  /** `n` counts from 0. @throws TypeError for an id that would be more than one plain token */
  readonly chunkSubject: (id: string, n: number) => string;
  /** All chunks of one object. @throws TypeError as above */
  readonly chunksOf: (id: string) => string;
  readonly allChunks: string;
}

/** A bucket on a connection. */
export interface Store {
  readonly bus: Bus;
  readonly layout: Layout;
}

/** All that is needed to read an object. The bucket does not keep it: whoever wants the object does. */
export interface ObjectEntry {
  readonly id: string;
  readonly chunks: number;
  readonly sizeBytes: number;
  /** Of all bytes, hex. */
  readonly sha256: string;
}

const bucketPattern = /^[A-Za-z0-9_-]{1,60}$/;
const idPattern = /^[A-Za-z0-9_-]{1,60}$/;

export function layoutOf(bucket: string): Layout {
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

/** Which chunk of which object a subject names; nothing for one that `chunkSubject` does not make. */
export function chunkOf(subject: string): ChunkName | undefined {
  const [id = '', n = ''] = subject.split('.').slice(3);
  return idPattern.test(id) && /^\d{1,9}$/.test(n) ? { id, n: Number(n) } : undefined;
}

/** nats-server takes messages on subjects with `*` in them: as a filter, such an id would mean every object. */
function checkId(id: string): string {
  if (idPattern.test(id)) return id;
  throw new TypeError(`Not an object's id: ${JSON.stringify(id)}`);
}
