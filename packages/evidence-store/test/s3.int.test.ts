import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceStore } from '../src/index.ts';
import { readAddress } from '../src/s3/read-address.ts';
import { s3EvidenceStore } from '../src/s3/s3-store.ts';
import { evidenceStoreRules } from './support/rules.ts';
import { type SmallS3, smallS3 } from './support/small-s3.ts';

let s3: SmallS3;
let store: EvidenceStore;

beforeAll(async () => {
  s3 = await smallS3();
  store = s3EvidenceStore(s3.settings);
});
afterAll(() => s3?.[Symbol.asyncDispose]());

describe('evidence in S3, over TLS with an authority of its own', () => {
  evidenceStoreRules(() => store);

  it('is read at an address without any rights, as long as it is there', async () => {
    const entry = await store.keep(Buffer.from('a passport'));
    const address = (await store.addressOf(entry)) ?? '';
    const read = (other = address) => readAddress({ address: other, entry, ca: s3.ca });
    expect(String(await read())).toBe('a passport');
    await expect(readAddress({ address, entry })).rejects.toMatchObject({ code: 'unavailable' });
    await store.remove(entry);
    await expect(read()).rejects.toMatchObject({ code: 'missing' });
  });

  it('goes in parts above 8 MiB, and at exactly 8 MiB in one piece', async () => {
    const chunksOf = async (size: number) => (await store.keep(Buffer.alloc(size))).chunks;
    expect(await chunksOf(8 * 1024 * 1024)).toBe(1);
    expect(await chunksOf(8 * 1024 * 1024 + 1)).toBe(2);
  });

  it('of a store that answers nobody is unavailable, also one that takes the connection and goes silent', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    try {
      const address = silent.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      for (const endpoint of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`]) {
        const away = s3EvidenceStore({ ...s3.settings, endpoint });
        const upload = away.upload();
        upload.write(Buffer.alloc(1_000));
        await expect(upload.finish()).rejects.toMatchObject({ code: 'unavailable' });
        expect([upload.heldBytes(), upload.failure()]).toEqual([0, expect.anything()]);
        await expect(away.probe()).rejects.toMatchObject({ code: 'unavailable' });
      }
    } finally {
      silent.close();
    }
  });

  it('answers a probe, although there is nothing to find', async () => {
    await expect(store.probe()).resolves.toBeUndefined();
  });
});
