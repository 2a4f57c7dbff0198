import type { Bus } from '../connection/connect-bus.ts';
import { askApi } from '../jetstream/api.ts';
import type { Layout, Meta } from './layout.ts';
import { fromLeader } from './messages.ts';

/** A bucket on a connection. */
export interface Store {
  readonly bus: Bus;
  readonly layout: Layout;
}

export interface ObjectInfo {
  readonly name: string;
  readonly sizeBytes: number;
  /** `SHA-256=` and the digest in padded base64url. */
  readonly digest: string;
  readonly storedAt: Date;
  readonly metadata: Readonly<Record<string, string>>;
}

export async function metaOf({ bus, layout }: Store, name: string): Promise<Meta | undefined> {
  const found = await fromLeader(bus, layout.stream, { last_by_subj: layout.metaSubject(name) });
  if (found === undefined) return undefined;
  const meta = parseMeta(found.data);
  return meta.deleted === true ? undefined : meta;
}

export async function* allMeta({ bus, layout }: Store): AsyncGenerator<Meta> {
  for (let seq = 1; ; ) {
    const found = await fromLeader(bus, layout.stream, { seq, next_by_subj: layout.allMeta });
    if (found === undefined) return;
    const meta = parseMeta(found.data);
    if (meta.deleted !== true) yield meta;
    seq = found.sequence + 1;
  }
}

/** Removes every message of the subject; there may be none. */
export async function purge({ bus, layout }: Store, filter: string): Promise<void> {
  await askApi(bus, `$JS.API.STREAM.PURGE.${layout.stream}`, { filter });
}

export function infoOf(meta: Meta): ObjectInfo {
  const { name, size, digest, mtime, metadata = {} } = meta;
  return { name, sizeBytes: size, digest, storedAt: new Date(mtime), metadata };
}

function parseMeta(data: Uint8Array): Meta {
  return JSON.parse(Buffer.from(data).toString('utf8')) as Meta;
}
