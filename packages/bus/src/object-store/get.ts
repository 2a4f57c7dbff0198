import { createHash } from 'node:crypto';
import { JetStreamError } from '../jetstream/jetstream-error.ts';
import { infoOf, type ObjectInfo, type Store } from './entries.ts';
import { digestText, type Meta } from './layout.ts';
import { fromAnyReplica } from './messages.ts';

export interface StoredObject {
  readonly info: ObjectInfo;
  /** Reads chunk by chunk; throws `corrupt` at the end when the digest differs. */
  chunks(): AsyncIterable<Uint8Array>;
  bytes(): Promise<Buffer>;
}

export function storedObject({ bus, layout }: Store, meta: Meta): StoredObject {
  const subject = layout.chunkSubject(meta.nuid);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let seq = 1;
    for (let left = meta.chunks; left > 0; left -= 1) {
      const chunk = await fromAnyReplica(bus, layout.stream, { seq, next_by_subj: subject });
      if (chunk === undefined) throw corrupt(subject, 'a chunk is missing');
      hash.update(chunk.data);
      seq = chunk.sequence + 1;
      yield chunk.data;
    }
    if (digestText(hash.digest()) !== meta.digest) throw corrupt(subject, 'the digest differs');
  }
  return {
    info: infoOf(meta),
    chunks,
    async bytes() {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks()) parts.push(chunk);
      return Buffer.concat(parts);
    },
  };
}

function corrupt(subject: string, message: string): JetStreamError {
  return new JetStreamError({ code: 'corrupt', stored: 'no', subject, message });
}
