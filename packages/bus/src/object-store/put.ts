import { createHash } from 'node:crypto';
import type { Bus } from '../connection/connect-bus.ts';
import { publishAcked } from '../jetstream/acked-publish.ts';
import { JetStreamError } from '../jetstream/jetstream-error.ts';
import { encodeHeaders } from '../wire/headers.ts';
import { type ByteSource, inChunks } from './chunks.ts';
import { infoOf, metaOf, type ObjectInfo, purge, type Store } from './entries.ts';
import { digestText, type Meta, newChunkId } from './layout.ts';

export interface PutOptions {
  /** Small text of the caller's, kept beside the object in plain. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Promises that the name was never used, which spares looking for an object to replace. */
  readonly fresh?: boolean;
}

/** Small enough for the default payload limit, large enough that 40 kB is one chunk. */
const chunkBytes = 128 * 1024;
/** Bounds what a put holds in memory to 2 MiB whatever the source's pace. */
const chunksUnderWay = 16;
const timeoutMs = 10_000;

/** Chunks first, then the entry that makes them an object. */
export async function put(
  store: Store,
  object: PutOptions & { name: string; source: ByteSource },
): Promise<ObjectInfo> {
  const { bus, layout } = store;
  const { name, source, metadata = {}, fresh = false } = object;
  const metaSubject = layout.metaSubject(name);
  const old = fresh ? undefined : await metaOf(store, name);
  const id = newChunkId(Date.now());
  try {
    const sent = await putChunks(bus, layout.chunkSubject(id), source);
    const mtime = new Date().toISOString();
    const meta: Meta = { name, bucket: layout.bucket, nuid: id, ...sent, mtime, metadata };
    const data = Buffer.from(JSON.stringify({ ...meta, options: { max_chunk_size: chunkBytes } }));
    // The roll-up makes this the name's only entry.
    const headers = encodeHeaders({}, 'Nats-Rollup: sub\r\n');
    await publishAcked(bus, { subject: metaSubject, data, headers, timeoutMs });
    if (old !== undefined) await purgeLater(store, layout.chunkSubject(old.nuid));
    return infoOf(meta);
  } catch (error) {
    // An entry that may be on file must keep its chunks.
    if (!(error instanceof JetStreamError) || error.stored === 'no') {
      await purgeLater(store, layout.chunkSubject(id));
    }
    throw error;
  }
}

async function putChunks(bus: Bus, subject: string, source: ByteSource) {
  const hash = createHash('sha256');
  const underWay: Array<Promise<unknown>> = [];
  let size = 0;
  let chunks = 0;
  for await (const data of inChunks(source, Math.min(chunkBytes, bus.maxPayloadBytes()))) {
    hash.update(data);
    size += data.length;
    chunks += 1;
    if (underWay.length >= chunksUnderWay) await underWay.shift();
    const acknowledged = publishAcked(bus, { subject, data, timeoutMs });
    // Awaited further down; until then a failure must not count as unhandled.
    acknowledged.catch(() => undefined);
    underWay.push(acknowledged);
  }
  await Promise.all(underWay);
  return { size, chunks, digest: digestText(hash.digest()) };
}

/** Chunks that no entry names are harmless: what cannot be removed now, `sweepUnfinished` removes. */
async function purgeLater(store: Store, filter: string): Promise<void> {
  await purge(store, filter).catch(() => undefined);
}
