import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EvidenceStore } from '../../src/index.ts';

const anyAge = { olderThanMs: -60_000 };

async function put(store: EvidenceStore, bytes: Buffer) {
  const upload = store.upload();
  for (let at = 0; at < bytes.length; at += 65_521) upload.write(bytes.subarray(at, at + 65_521));
  upload.end();
  return { upload, entry: await upload.finish() };
}

async function listed(store: EvidenceStore, olderThanMs = anyAge.olderThanMs): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list({ olderThanMs })) ids.push(id);
  return ids;
}

/** What holds of an evidence store, whatever it is made on. */
export function evidenceStoreRules(store: () => EvidenceStore): void {
  it.each([1, 40_000, 131_073, 9_000_000])('gives back %i bytes as they were', async (size) => {
    const bytes = randomBytes(size);
    const { upload, entry } = await put(store(), bytes);
    expect(entry).toMatchObject({ sizeBytes: size, id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect((await store().get(entry).bytes()).equals(bytes)).toBe(true);
    expect([upload.heldBytes(), upload.underWayBytes(), upload.failure()]).toEqual([0, 0, undefined]);
  });

  it('keeps what intake keeps in an area of its own', async () => {
    const entry = await store().keep(Buffer.from('a passport'));
    expect(entry).toMatchObject({ area: 'kept', sizeBytes: 10 });
    expect(String(await store().get(entry).bytes())).toBe('a passport');
  });

  it('tells what is gone from what is not what was stored', async () => {
    const { entry } = await put(store(), randomBytes(1_000));
    const read = (other: Partial<typeof entry>) =>
      store()
        .get({ ...entry, ...other })
        .bytes();
    await expect(read({ sha256: '0'.repeat(64) })).rejects.toMatchObject({ code: 'corrupt' });
    await expect(read({ sizeBytes: 999 })).rejects.toMatchObject({ code: 'corrupt' });
    await expect(read({ sizeBytes: 1_001 })).rejects.toMatchObject({ code: 'corrupt' });
    await expect(read({ id: '0'.repeat(32) })).rejects.toMatchObject({ code: 'missing' });
  });

  it('removes an object and no other, and what is gone may be removed again', async () => {
    const [one, other] = [await put(store(), randomBytes(10)), await store().keep(randomBytes(10))];
    await store().remove(one.entry);
    await store().remove(one.entry);
    await expect(store().get(one.entry).bytes()).rejects.toMatchObject({ code: 'missing' });
    expect(await store().get(other).bytes()).toHaveLength(10);
  });

  it('lists what is older than asked for', async () => {
    const { entry } = await put(store(), randomBytes(10));
    const kept = await store().keep(randomBytes(10));
    expect(await listed(store())).toEqual(expect.arrayContaining([entry.id, kept.id]));
    expect(await listed(store(), 60_000)).toEqual([]);
  });

  it('sweeps what nobody wants, in both areas, and nothing that is young', async () => {
    const [wanted, unwanted] = [await put(store(), randomBytes(10)), await put(store(), randomBytes(10))];
    const [kept, orphan] = [await store().keep(randomBytes(10)), await store().keep(randomBytes(10))];
    const names = new Set([wanted.entry.id, kept.id]);
    const sweep = (olderThanMs: number) => store().sweep({ olderThanMs, wanted: async () => names });
    expect(await sweep(60_000)).toEqual({ removed: 0, foreign: 0 });
    expect((await sweep(anyAge.olderThanMs)).removed).toBeGreaterThanOrEqual(2);
    expect((await listed(store())).sort()).toEqual([...names].sort());
    for (const gone of [unwanted.entry, orphan])
      await expect(store().get(gone).bytes()).rejects.toMatchObject({ code: 'missing' });
  });
}
