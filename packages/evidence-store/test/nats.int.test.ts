import { connectBus, ensureBucket } from '@rubrica/bus';
import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { createEvidenceStores } from '../src/evidence-stores.ts';
import { natsEvidenceStore } from '../src/nats/nats-store.ts';
import { evidenceStoreRules } from './support/rules.ts';

const nats = await disposeAfterAll(testNats());
const bus = await disposeAfterAll(connectBus({ servers: nats.url, name: 'evidence' }));
await ensureBucket(bus, { bucket: 'FILES', maxBytes: 50_000_000 });
const store = natsEvidenceStore(bus, 'FILES');

describe('evidence in NATS', () => {
  evidenceStoreRules(() => store);

  it('is refused where the bucket is full, and what is there can be read', async () => {
    await ensureBucket(bus, { bucket: 'TIGHT', maxBytes: 200_000 });
    const tight = natsEvidenceStore(bus, 'TIGHT');
    const entry = await tight.keep(Buffer.alloc(100_000));
    await expect(tight.keep(Buffer.alloc(150_000))).rejects.toMatchObject({
      name: 'EvidenceStoreError',
      code: 'full',
    });
    expect(await tight.get(entry).bytes()).toHaveLength(100_000);
  });

  it('is unavailable, and not gone, without its bucket', async () => {
    await expect(natsEvidenceStore(bus, 'NONE').keep(Buffer.alloc(1))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

it('an entry that names no store is of NATS, and one of a store without settings is unavailable', async () => {
  const stores = createEvidenceStores(store);
  const { store: _, ...entry } = await store.keep(Buffer.from('x'));
  expect(String(await stores.get(entry).bytes())).toBe('x');
  expect(() => stores.get({ ...entry, store: 's3' })).toThrow('no settings for the evidence store s3');
});
