import { randomBytes } from 'node:crypto';
import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { headers } from 'nats';
import { describe, expect, it } from 'vitest';
import { ensureBucket, type ObjectEntry, objectStore } from '../src/index.ts';
import { crash, eventually, rejection, testBus } from './support.ts';

const nats = await disposeAfterAll(testNats());
const test = await disposeAfterAll(testBus(nats.url, 'store'));

async function storeOf(bucket: string, maxBytes = 50_000_000) {
  await ensureBucket(test.bus, { bucket, maxBytes });
  return objectStore(test.bus, bucket);
}

async function put(bucket: string, bytes: Buffer): Promise<ObjectEntry> {
  const upload = objectStore(test.bus, bucket).upload();
  upload.write(bytes);
  return upload.finish();
}

async function messagesOf(bucket: string): Promise<number> {
  const manager = await test.bus.nc.jetstreamManager();
  return (await manager.streams.info(`OBJ_${bucket}`)).state.messages;
}

function publish(subject: string, data: string, rollup?: 'sub' | 'all') {
  const h = headers();
  if (rollup !== undefined) h.set('Nats-Rollup', rollup);
  return test.bus.nc.jetstream().publish(subject, data, { headers: h });
}

const readAll = (store: ReturnType<typeof objectStore>, entry: ObjectEntry) =>
  rejection(store.get(entry).bytes());

describe('the object store', () => {
  it.each([0, 1, 40_000, 131_072, 131_073, 3_000_000])('gives back %i bytes as they were', async (size) => {
    const store = await storeOf('SIZES');
    const bytes = randomBytes(size);
    const upload = store.upload();
    for (let at = 0; at < size; at += 65_521) upload.write(bytes.subarray(at, at + 65_521));
    const entry = await upload.finish();
    expect(entry).toMatchObject({ sizeBytes: size, chunks: Math.ceil(size / 131_072) });
    expect((await store.get(entry).bytes()).equals(bytes)).toBe(true);
    expect(upload.heldBytes()).toBe(0);
  });

  it('keeps the bytes of pieces whose memory goes to something else once they are spent', async () => {
    const store = await storeOf('SPENT');
    const bytes = randomBytes(1_000_000);
    const spent: Uint8Array[] = [];
    const upload = store.upload({ spent: (some) => spent.push(some.fill(0)) });
    for (let at = 0; at < bytes.length; at += 65_521)
      upload.write(Buffer.from(bytes.subarray(at, at + 65_521)));
    const entry = await upload.finish();
    expect((await store.get(entry).bytes()).equals(bytes)).toBe(true);
    // All 16 pieces and the 8 chunks made of them.
    expect(spent.length).toBe(24);
  });

  it('is raised to the size that is asked for, and not lowered where that is asked for too', async () => {
    const sizeOf = async (maxBytes: number) => {
      await ensureBucket(test.bus, { bucket: 'SIZED', maxBytes, keepsLarger: true });
      const manager = await test.bus.nc.jetstreamManager();
      return (await manager.streams.info('OBJ_SIZED')).config.max_bytes;
    };
    expect(await sizeOf(1_000_000)).toBe(1_000_000);
    expect(await sizeOf(3_000_000)).toBe(3_000_000);
    expect(await sizeOf(2_000_000)).toBe(3_000_000);
  });

  it('lists and removes one object and leaves the others', async () => {
    const store = await storeOf('LISTED');
    const [one, other] = [await put('LISTED', randomBytes(200_000)), await put('LISTED', randomBytes(10))];
    const listed = async (olderThanMs: number) => {
      const ids: string[] = [];
      for await (const { id } of store.list({ olderThanMs })) ids.push(id);
      return ids.toSorted();
    };
    expect(await listed(-60_000)).toEqual([one.id, other.id].toSorted());
    expect(await listed(60_000)).toEqual([]);
    await store.remove(one.id);
    expect(await listed(-60_000)).toEqual([other.id]);
    expect(await readAll(store, one)).toMatchObject({ code: 'missing' });
  });

  it('has the bytes of an upload on file while they still come', async () => {
    const store = await storeOf('UPLOADED');
    const upload = store.upload();
    upload.write(randomBytes(1_000_000));
    upload.end();
    await eventually(async () => (await messagesOf('UPLOADED')) === 8, 'all chunks are on file');
    expect(await upload.finish()).toMatchObject({ sizeBytes: 1_000_000, chunks: 8 });
  });

  it('tells whoever writes that a chunk could not be stored', async () => {
    const store = await storeOf('TIGHT', 200_000);
    const upload = store.upload();
    upload.write(randomBytes(500_000));
    const waits = async () => {
      while (upload.underWayBytes() > 0) await upload.acknowledged();
      await upload.acknowledged();
    };
    expect(await rejection(waits())).toMatchObject({ code: 'full' });
    expect(upload.failure()).toMatchObject({ code: 'full' });
    expect(await rejection(upload.finish())).toMatchObject({ code: 'full' });
  });

  it('notices chunks that are missing, and an entry that is not theirs', async () => {
    const store = await storeOf('CORRUPT');
    const manager = await test.bus.nc.jetstreamManager();
    const entry = await put('CORRUPT', randomBytes(300_000));
    expect(await readAll(store, { ...entry, sha256: '0'.repeat(64) })).toMatchObject({ code: 'corrupt' });
    expect(await readAll(store, { ...entry, sizeBytes: 1 })).toMatchObject({ code: 'corrupt' });
    expect(await readAll(store, { ...entry, chunks: 2 })).toMatchObject({ code: 'corrupt' });
    expect(await readAll(store, { ...entry, chunks: 4 })).toMatchObject({ code: 'missing' });
    await manager.streams.deleteMessage('OBJ_CORRUPT', 2);
    expect(await readAll(store, entry)).toMatchObject({ code: 'missing' });
    await publish(`$O.CORRUPT.C.${entry.id}.1`, 'other');
    expect(await readAll(store, entry)).toMatchObject({ code: 'corrupt' });
  });

  it('reads no further than the size that was kept, whatever lies there', async () => {
    const store = await storeOf('BOUNDED');
    const { id } = await put('BOUNDED', randomBytes(300_000));
    const read: number[] = [];
    const drain = async () => {
      const entry = { id, chunks: 3, sizeBytes: 140_000, sha256: '0'.repeat(64) };
      for await (const chunk of store.get(entry).chunks()) read.push(chunk.length);
    };
    expect(await rejection(drain())).toMatchObject({ code: 'corrupt' });
    expect(read).toEqual([131_072]);
  });

  it('keeps what it acknowledged over a SIGKILL of nats-server', async () => {
    const store = await storeOf('KEPT');
    const bytes = randomBytes(1_000_000);
    const entry = await put('KEPT', bytes);
    await crash(nats);
    const read = () =>
      store
        .get(entry)
        .bytes()
        .catch(() => undefined);
    expect((await eventually(read, 'the object is there')).equals(bytes)).toBe(true);
  });

  it('says that it is unavailable without its bucket', async () => {
    expect(await rejection(put('NO_SUCH_BUCKET', Buffer.from('x')))).toMatchObject({ code: 'unavailable' });
  });
});

describe('a chunk', () => {
  it('is written once: neither a second message nor a roll-up takes its place', async () => {
    const store = await storeOf('ONCE');
    const bytes = randomBytes(300_000);
    const entry = await put('ONCE', bytes);
    const subject = `$O.ONCE.C.${entry.id}.1`;
    await expect(publish(subject, 'other')).rejects.toMatchObject({ api_error: { err_code: 10_077 } });
    for (const rollup of ['sub', 'all'] as const) {
      for (const target of [subject, '$O.ONCE.C.new.0']) {
        const refused = { api_error: { err_code: 10_111 } };
        await expect(publish(target, 'other', rollup)).rejects.toMatchObject(refused);
      }
    }
    expect(await messagesOf('ONCE')).toBe(3);
    expect((await store.get(entry).bytes()).equals(bytes)).toBe(true);
  });

  it('of a bucket from before that allowed more is not thrown away by provisioning', async () => {
    const manager = await test.bus.nc.jetstreamManager();
    await manager.streams.add({ name: 'OBJ_FORMER', subjects: ['$O.FORMER.C.>'], allow_rollup_hdrs: true });
    for (const data of ['1', '2']) await publish('$O.FORMER.C.x', data);
    await expect(storeOf('FORMER')).rejects.toThrow('updating it would remove messages');
    expect(await messagesOf('FORMER')).toBe(2);
  });
});

describe('the sweep', () => {
  const all = async () => new Set<string>();

  it('removes what nobody wants, whole or not, and nothing else', async () => {
    const store = await storeOf('SWEPT');
    const bytes = randomBytes(300_000);
    const kept = await put('SWEPT', bytes);
    const orphan = await put('SWEPT', bytes);
    await publish('$O.SWEPT.C.unfinished.7', 'left by a crash');
    const asked: string[] = [];
    const wanted = async (ids: readonly string[]) => {
      asked.push(...ids);
      return new Set([kept.id]);
    };
    expect(await store.sweep({ olderThanMs: -1_000, wanted })).toEqual({ removed: 2, foreign: 0 });
    expect(asked.toSorted()).toEqual([kept.id, orphan.id, 'unfinished'].toSorted());
    expect((await store.get(kept).bytes()).equals(bytes)).toBe(true);
    expect(await messagesOf('SWEPT')).toBe(3);
  });

  it('leaves alone what was written to lately, by the clock of the stream', async () => {
    const store = await storeOf('YOUNG');
    await publish('$O.YOUNG.C.slow.0', 'first');
    const begunAt = Date.now();
    await eventually(async () => Date.now() - begunAt > 400, 'it is old enough');
    await publish('$O.YOUNG.C.slow.1', 'second');
    expect(await store.sweep({ olderThanMs: 300, wanted: all })).toEqual({ removed: 0, foreign: 0 });
    await eventually(
      async () => (await store.sweep({ olderThanMs: 300, wanted: all })).removed === 1,
      'the last chunk is old too',
    );
    expect(await messagesOf('YOUNG')).toBe(0);
  });

  it('removes chunks under subjects that no upload makes, and uses none of them as a wider filter', async () => {
    const store = await storeOf('FOREIGN');
    const kept = await put('FOREIGN', randomBytes(300_000));
    const subjects = [
      '*.0',
      '*.*',
      '*.>',
      '>.0',
      `${kept.id}.*`,
      `${kept.id}.y`,
      'x.*',
      'x.y',
      `${'x'.repeat(71)}.y1`,
      'x*.y',
      'x.ñ',
    ];
    for (const subject of subjects) test.bus.nc.publish(`$O.FOREIGN.C.${subject}`, 'x');
    await test.bus.nc.flush();
    const last = await put('FOREIGN', randomBytes(300_000));
    const wanted = async () => new Set([kept.id, last.id]);
    const before = await messagesOf('FOREIGN');
    const { removed, foreign } = await store.sweep({ olderThanMs: -1_000, wanted });
    expect({ removed, foreign }).toEqual({ removed: 0, foreign: before - 6 });
    expect(foreign).toBeGreaterThan(4);
    expect(await messagesOf('FOREIGN')).toBe(6);
    for (const entry of [kept, last]) expect((await store.get(entry).bytes()).length).toBe(300_000);
    expect(await store.sweep({ olderThanMs: -1_000, wanted })).toEqual({ removed: 0, foreign: 0 });
  });
});
