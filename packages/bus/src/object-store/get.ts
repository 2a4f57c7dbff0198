import { createHash } from 'node:crypto';
import { JetStreamError } from '../jetstream/jetstream-error.ts';
import type { ObjectEntry, Store } from './layout.ts';
import { fromAnyReplica } from './messages.ts';

export interface StoredObject {
  /**
   * Reads chunk by chunk, never beyond the entry's size.
   * @throws JetStreamError `missing` for a chunk that does not exist, `corrupt` if size or digest differ, at the latest
   * at the end
   */
  chunks(): AsyncIterable<Uint8Array>;
  bytes(): Promise<Buffer>;
}

export function storedObject({ bus, layout }: Store, entry: ObjectEntry): StoredObject {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    const subject = layout.chunksOf(entry.id);
    const fault = (code: 'missing' | 'corrupt', message: string) =>
      new JetStreamError({ code, stored: 'no', subject, message });
    let left = entry.sizeBytes;
    for (let n = 0; n < entry.chunks; n += 1) {
      const chunk = await fromAnyReplica(bus, layout.stream, layout.chunkSubject(entry.id, n));
      if (chunk === undefined) throw fault('missing', `chunk ${n} is not there`);
      left -= chunk.length;
      if (left < 0) throw fault('corrupt', 'it is larger than it was');
      hash.update(chunk);
      yield chunk;
    }
    if (left > 0 || hash.digest('hex') !== entry.sha256) throw fault('corrupt', 'the digest differs');
  }
  return {
    chunks,
    async bytes() {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks()) parts.push(chunk);
      return Buffer.concat(parts);
    },
  };
}
