import { createHash } from 'node:crypto';
import { publishAcked } from '../jetstream/acked-publish.ts';
import { encodeHeaders } from '../wire/headers.ts';
import { createChunker } from './chunks.ts';
import { infoOf, type ObjectInfo, type Store } from './entries.ts';
import { digestText, type Meta, newChunkId } from './layout.ts';

/**
 * An object whose bytes are stored while its maker does not know yet whether it will be wanted, nor its name. Until
 * `commit` nobody sees any of it. A crash before leaves chunks, which `sweepUnfinished` removes.
 */
export interface Upload {
  /** Takes bytes, which must not change any more. Whoever writes asks between writes how much is under way. */
  write(piece: Uint8Array): void;
  /** No more comes: sends what does not fill a chunk. */
  end(): void;
  /** Bytes that are held in memory: not sent, or not acknowledged. */
  heldBytes(): number;
  /** Of those, bytes that were sent: to be bounded by whoever writes. */
  underWayBytes(): number;
  /** Resolves when the oldest chunk under way is on file, or none is. @throws JetStreamError for any that was not */
  acknowledged(): Promise<void>;
  /** What a chunk could not be stored for, once it is known: nothing comes of the object any more. */
  failure(): unknown;
  /** Makes an object of a name that was never used. @throws JetStreamError; the object may be on file all the same */
  commit(name: string, metadata?: Readonly<Record<string, string>>): Promise<ObjectInfo>;
  /**
   * Removes the bytes, also of an object that was committed: only where nothing refers to it. Needs no right but that
   * to write, at the price of one empty message, and perhaps an entry, that the sweeps remove. Never rejects.
   */
  discard(): Promise<void>;
}

/** Small enough for the default payload limit, large enough that 40 kB is one chunk. */
const chunkBytes = 128 * 1024;
const timeoutMs = 10_000;

/** Makes a message its subject's only one. */
function rollUp() {
  return encodeHeaders({}, 'Nats-Rollup: sub\r\n');
}

/**
 * One closure, because all of an upload share its counts, the chunks under way and the first failure.
 * @param id of the chunks' subject
 */
export function openUpload({ bus, layout }: Store, id = newChunkId(Date.now())): Upload {
  const subject = layout.chunkSubject(id);
  const hash = createHash('sha256');
  const underWay: Promise<unknown>[] = [];
  let underWayBytes = 0;
  let size = 0;
  let chunks = 0;
  let failure: unknown;

  const chunker = createChunker(Math.min(chunkBytes, bus.maxPayloadBytes()), (data) => {
    hash.update(data);
    size += data.length;
    chunks += 1;
    underWayBytes += data.length;
    const settled = publishAcked(bus, { subject, data, timeoutMs })
      .catch((error: unknown) => {
        failure ??= error;
      })
      .then(() => {
        underWayBytes -= data.length;
        underWay.splice(underWay.indexOf(settled), 1);
      });
    underWay.push(settled);
  });

  const assertStored = () => {
    if (failure !== undefined) throw failure;
  };

  return {
    write: chunker.push,
    end: chunker.end,
    heldBytes: () => chunker.heldBytes() + underWayBytes,
    underWayBytes: () => underWayBytes,
    failure: () => failure,
    async acknowledged() {
      assertStored();
      await underWay[0];
      assertStored();
    },
    async commit(name, metadata = {}) {
      const metaSubject = layout.metaSubject(name);
      chunker.end();
      await Promise.all(underWay);
      assertStored();
      const sent = { size, chunks, digest: digestText(hash.digest()) };
      const mtime = new Date().toISOString();
      const meta: Meta = { name, bucket: layout.bucket, nuid: id, ...sent, mtime, metadata };
      const data = Buffer.from(JSON.stringify({ ...meta, options: { max_chunk_size: chunkBytes } }));
      await publishAcked(bus, { subject: metaSubject, data, headers: rollUp(), timeoutMs });
      return infoOf(meta);
    },
    async discard() {
      if (chunks === 0) return;
      const data = new Uint8Array();
      await publishAcked(bus, { subject, data, headers: rollUp(), timeoutMs }).catch(() => undefined);
    },
  };
}
