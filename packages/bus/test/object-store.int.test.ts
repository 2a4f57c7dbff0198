import { randomBytes } from 'node:crypto';
import { type TestNats, testNats } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBucket, type ObjectInfo, objectStore } from '../src/index.ts';
import { crash, eventually, rejection, type TestBus, testBus } from './support.ts';

let nats: TestNats;
let test: TestBus;

beforeAll(async () => {
  nats = await testNats();
  test = await testBus(nats.url, 'store');
});

afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
  await nats?.[Symbol.asyncDispose]();
});

async function storeOf(bucket: string, maxBytes = 50_000_000) {
  await ensureBucket(test.bus, { bucket, maxBytes });
  return objectStore(test.bus, bucket);
}

async function messagesOf(bucket: string): Promise<number> {
  const manager = await test.bus.nc.jetstreamManager();
  return (await manager.streams.info(`OBJ_${bucket}`)).state.messages;
}

async function names(list: AsyncIterable<ObjectInfo>): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of list) found.push(name);
  return found;
}

/** Pieces of awkward sizes, as a request body brings them. */
async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('the object store', () => {
  it.each([0, 1, 40_000, 131_072, 131_073, 3_000_000])('gives back %i bytes as they were', async (size) => {
    const store = await storeOf('SIZES');
    const bytes = randomBytes(size);
    const put = await store.put(`size-${size}`, pieces(bytes, 65_521));
    expect(put).toMatchObject({ name: `size-${size}`, sizeBytes: size });
    const found = await store.get(`size-${size}`);
    expect((await found?.bytes())?.equals(bytes)).toBe(true);
    expect(found?.info).toEqual(put);
  });

  it('writes what the tools of NATS read, and reads what they write', async () => {
    const store = await storeOf('SHARED');
    const theirs = await test.bus.nc.jetstream().views.os('SHARED');
    const bytes = randomBytes(300_000);
    await store.put('ours', bytes, { metadata: { type: 'image/png' } });
    expect(Buffer.from((await theirs.getBlob('ours')) ?? [])).toEqual(bytes);
    expect((await theirs.info('ours'))?.metadata).toEqual({ type: 'image/png' });
    await theirs.putBlob({ name: 'theirs/one' }, bytes);
    expect((await (await store.get('theirs/one'))?.bytes())?.equals(bytes)).toBe(true);
    expect(await names(store.list())).toEqual(['ours', 'theirs/one']);
    await theirs.delete('ours');
    expect(await store.get('ours')).toBeUndefined();
    expect(await names(store.list())).toEqual(['theirs/one']);
  });

  it('knows no object that is not there', async () => {
    const store = await storeOf('ABSENT');
    expect(await store.get('x')).toBeUndefined();
    expect(await store.info('x')).toBeUndefined();
    expect(await store.delete('x')).toBe(false);
    expect(await names(store.list())).toEqual([]);
  });

  it('deletes without a trace', async () => {
    const store = await storeOf('DELETED');
    await store.put('a', randomBytes(300_000));
    expect(await store.delete('a')).toBe(true);
    expect(await store.get('a')).toBeUndefined();
    expect(await messagesOf('DELETED')).toBe(0);
  });

  it('replaces an object, old chunks and all', async () => {
    const store = await storeOf('REPLACED');
    await store.put('a', randomBytes(300_000));
    await store.put('a', Buffer.from('new'));
    expect((await (await store.get('a'))?.bytes())?.toString()).toBe('new');
    expect(await messagesOf('REPLACED')).toBe(2);
  });

  it('shows nothing of a put that fails, and leaves nothing behind', async () => {
    const store = await storeOf('BROKEN');
    async function* breaks() {
      yield randomBytes(300_000);
      throw new Error('the client went away');
    }
    await expect(store.put('a', breaks())).rejects.toThrow('the client went away');
    expect(await store.get('a')).toBeUndefined();
    expect(await messagesOf('BROKEN')).toBe(0);
  });

  it('takes an object whose name comes last, and shows nothing of it before', async () => {
    const store = await storeOf('UPLOADED');
    const bytes = randomBytes(1_000_000);
    const upload = store.upload();
    for await (const piece of pieces(bytes, 65_521)) upload.write(piece);
    upload.end();
    await eventually(async () => (await messagesOf('UPLOADED')) === 8, 'all chunks are on file');
    expect(await names(store.list())).toEqual([]);
    expect(await upload.commit('late')).toMatchObject({ name: 'late', sizeBytes: bytes.length });
    expect((await (await store.get('late'))?.bytes())?.equals(bytes)).toBe(true);
    expect(upload.heldBytes()).toBe(0);
  });

  it('removes the bytes of an upload that is given up, with no right but to write', async () => {
    const store = await storeOf('GIVEN_UP');
    const manager = await test.bus.nc.jetstreamManager();
    const storedBytes = async () => (await manager.streams.info('OBJ_GIVEN_UP')).state.bytes;
    for (const commit of [false, true]) {
      const upload = store.upload();
      upload.write(randomBytes(1_000_000));
      if (commit) await upload.commit('a');
      await upload.discard();
      expect(await storedBytes()).toBeLessThan(1_000);
    }
    expect(await store.delete('a')).toBe(true);
    await eventually(async () => (await store.sweepUnfinished({ olderThanMs: 0 })) === 1, 'one is swept');
    expect(await messagesOf('GIVEN_UP')).toBe(0);
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
    expect(await rejection(upload.commit('a'))).toMatchObject({ code: 'full' });
    expect(await store.info('a')).toBeUndefined();
  });

  it('refuses as full what does not fit', async () => {
    const store = await storeOf('TINY', 200_000);
    expect(await rejection(store.put('a', randomBytes(500_000)))).toMatchObject({ code: 'full' });
    expect(await messagesOf('TINY')).toBe(0);
  });

  it('notices missing and altered chunks', async () => {
    const store = await storeOf('CORRUPT');
    const manager = await test.bus.nc.jetstreamManager();
    await store.put('cut', randomBytes(300_000));
    await manager.streams.deleteMessage('OBJ_CORRUPT', 1);
    const cut = await store.get('cut');
    expect(await rejection(cut?.bytes() ?? Promise.resolve())).toMatchObject({ code: 'corrupt' });
    await store.put('bent', Buffer.from('bytes'));
    const last = await manager.streams.getMessage('OBJ_CORRUPT', { seq: 5 });
    await manager.streams.deleteMessage('OBJ_CORRUPT', 5);
    await test.bus.nc.jetstream().publish(last.subject, 'other');
    const bent = await store.get('bent');
    expect(await rejection(bent?.bytes() ?? Promise.resolve())).toMatchObject({ code: 'corrupt' });
  });

  it('lists objects of a certain age, oldest first', async () => {
    const store = await storeOf('AGED');
    for (const name of ['a', 'b', 'c']) await store.put(name, Buffer.from(name));
    expect(await names(store.list())).toEqual(['a', 'b', 'c']);
    expect(await names(store.list({ olderThanMs: 60_000 }))).toEqual([]);
    await eventually(async () => (await names(store.list({ olderThanMs: 50 }))).length === 3, 'they age');
  });

  it('sweeps chunks whose put never ended, and no others', async () => {
    const store = await storeOf('SWEPT');
    await store.put('whole', randomBytes(300_000));
    const chunk = `$O.SWEPT.C.${(Date.now() - 7_200_000).toString(36)}-${'0'.repeat(24)}`;
    await test.bus.nc.jetstream().publish(chunk, 'left by a crash');
    const young = `$O.SWEPT.C.${Date.now().toString(36)}-${'1'.repeat(24)}`;
    await test.bus.nc.jetstream().publish(young, 'being uploaded');
    expect(await store.sweepUnfinished({ olderThanMs: 3_600_000 })).toBe(1);
    expect(await store.sweepUnfinished({ olderThanMs: 3_600_000 })).toBe(0);
    expect(await (await store.get('whole'))?.bytes()).toHaveLength(300_000);
    expect(await messagesOf('SWEPT')).toBe(5);
    expect(await store.sweepUnfinished({ olderThanMs: 0 })).toBe(1);
    expect(await (await store.get('whole'))?.bytes()).toHaveLength(300_000);
  });

  it('keeps what it acknowledged over a SIGKILL of nats-server', async () => {
    const store = await storeOf('KEPT');
    const bytes = randomBytes(1_000_000);
    await store.put('a', bytes);
    await crash(nats);
    const found = await eventually(() => store.get('a').catch(() => undefined), 'the object is there');
    expect((await found.bytes()).equals(bytes)).toBe(true);
  });

  it('says that it is unavailable without its bucket', async () => {
    const store = objectStore(test.bus, 'NO_SUCH_BUCKET');
    expect(await rejection(store.put('a', Buffer.from('x'), { fresh: true }))).toMatchObject({
      code: 'unavailable',
    });
  });
});
