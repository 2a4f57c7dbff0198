import { randomBytes } from 'node:crypto';

/** How NATS' object store lies in a stream (ADR-20), so that `nats object` reads what this package writes. */
export interface Layout {
  readonly bucket: string;
  readonly stream: string;
  readonly chunkSubject: (id: string) => string;
  readonly metaSubject: (name: string) => string;
  readonly allChunks: string;
  readonly allMeta: string;
}

/** What is kept of an object beside its chunks, in the field names of the object store. */
export interface Meta {
  readonly name: string;
  readonly bucket: string;
  /** Of the chunks' subject. */
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  /** `SHA-256=` and the digest in padded base64url. */
  readonly digest: string;
  readonly mtime: string;
  readonly deleted?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly options?: { readonly max_chunk_size: number };
}

const bucketPattern = /^[A-Za-z0-9_-]{1,60}$/;
const maxNameLength = 120;

export function layoutOf(bucket: string): Layout {
  if (!bucketPattern.test(bucket)) throw new TypeError(`Not a bucket name: ${JSON.stringify(bucket)}`);
  return {
    bucket,
    stream: `OBJ_${bucket}`,
    chunkSubject: (id) => `$O.${bucket}.C.${id}`,
    metaSubject: (name) => `$O.${bucket}.M.${padded(Buffer.from(checkName(name)).toString('base64'))}`,
    allChunks: `$O.${bucket}.C.>`,
    allMeta: `$O.${bucket}.M.>`,
  };
}

/** Holds the time it was made, so that chunks whose put never ended can be told by their subject alone. */
export function newChunkId(nowMs: number): string {
  return `${nowMs.toString(36)}-${randomBytes(12).toString('hex')}`;
}

/** Epoch ms at which `newChunkId` made the id; nothing for ids of other makers. */
export function madeAt(chunkId: string): number | undefined {
  const [time, random] = chunkId.split('-');
  return time !== undefined && /^[0-9a-f]{24}$/.test(random ?? '') ? Number.parseInt(time, 36) : undefined;
}

export function digestText(digest: Buffer): string {
  return `SHA-256=${padded(digest.toString('base64'))}`;
}

function padded(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

function checkName(name: string): string {
  if (name.length > 0 && name.length <= maxNameLength) return name;
  throw new TypeError(`An object's name has 1 to ${maxNameLength} characters`);
}
