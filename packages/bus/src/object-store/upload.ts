import { createHash } from 'node:crypto';
import { publishAcked } from '../jetstream/acked-publish.ts';
import { createChunker, type Spent } from './chunks.ts';
import { newObjectId, type ObjectEntry, type Store } from './layout.ts';

/**
 * An object whose bytes are stored while its maker does not know yet whether it will be wanted. Each chunk is written
 * once and can be removed by no uploader: what nobody keeps the entry of, `sweep` removes.
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
  /** Resolves when every byte is on file. @throws JetStreamError */
  finish(): Promise<ObjectEntry>;
}

export interface UploadOptions {
  /** Told of pieces, and of chunks made of them, once nothing here reads them: for who keeps no piece that it wrote. */
  readonly spent?: Spent;
}

/** Small enough for the default payload limit, large enough that 40 kB is one chunk. */
const chunkBytes = 128 * 1024;
const timeoutMs = 10_000;

/** One closure, because all of an upload share its counts, the chunks under way and the first failure. */
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
      // One that was not acknowledged may still be on its way.
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
