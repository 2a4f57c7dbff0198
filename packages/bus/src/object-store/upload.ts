import { createHash } from 'node:crypto';
import { publishAcked } from '../jetstream/acked-publish.ts';
import { createChunker, type ReleaseBytes } from './chunks.ts';
import { newObjectId, type ObjectEntry, type Store } from './layout.ts';

/**
 * Object whose bytes are stored before its creator knows whether it will be wanted. Each chunk is written once and no
 * uploader can remove it: `sweep` removes objects without a stored entry.
 */
export interface Upload {
  /** Takes bytes, which must not change any more. Between writes the caller checks how many bytes are in flight. */
  write(piece: Uint8Array): void;
  /** Ends the object: sends the incomplete last chunk. */
  end(): void;
  /** Returns the bytes held in memory: not sent, or not acknowledged. */
  heldBytes(): number;
  /** Returns the part of those that was sent, which the caller must limit. */
  underWayBytes(): number;
  /**
   * Resolves when the oldest chunk in flight is stored, or there is none.
   * @throws JetStreamError for any chunk that was not stored
   */
  acknowledged(): Promise<void>;
  /** Returns the error of a chunk that could not be stored, once known: the object has then failed. */
  failure(): unknown;
  /**
   * Resolves when every byte is stored.
   * @throws JetStreamError
   */
  finish(): Promise<ObjectEntry>;
}

export interface UploadOptions {
  /**
   * Called with pieces, and chunks created of them, that are no longer read here, so that their memory may be reused.
   */
  readonly spent?: ReleaseBytes;
}

/** Small enough for the default payload limit, large enough that 40 kB is one chunk. */
const chunkBytes = 128 * 1024;
const timeoutMs = 10_000;

/** Opens an upload. It is one closure, because its functions share counts, chunks in flight and the first failure. */
export function openUpload({ bus, layout }: Store, { spent }: UploadOptions = {}): Upload {
  const id = newObjectId();
  const hash = createHash('sha256');
  const underWay: Promise<unknown>[] = [];
  let underWayBytes = 0;
  let sizeBytes = 0;
  let chunks = 0;
  let failure: unknown;

  const size = Math.min(chunkBytes, bus.maxPayloadBytes());
  const send = (data: Uint8Array) => {
    hash.update(data);
    sizeBytes += data.length;
    const subject = layout.chunkSubject(id, chunks);
    chunks += 1;
    const bytes = data.length;
    underWayBytes += bytes;
    const settled = publishAcked(bus, { subject, data, timeoutMs })
      // An unacknowledged one may still be in transit.
      .then(() => spent?.(data))
      .catch((error: unknown) => {
        failure ??= error;
      })
      .then(() => {
        underWayBytes -= bytes;
        underWay.splice(underWay.indexOf(settled), 1);
      });
    underWay.push(settled);
  };
  const chunker = createChunker(size, send, spent);

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
    async finish() {
      chunker.end();
      await Promise.all(underWay);
      assertStored();
      return { id, chunks, sizeBytes, sha256: hash.digest('hex') };
    },
  };
}
