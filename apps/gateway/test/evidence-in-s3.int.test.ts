import { randomBytes } from 'node:crypto';
import { s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { smallS3 } from '@rubrica/evidence-store/small-s3';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { linkedPartnerBody, pdf, png } from './support/bodies.ts';
import { sealFile, sha256 } from './support/fake-reviews.ts';
import { operator } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const large = Buffer.concat([pdf, randomBytes(400_000)]);

const s3 = await disposeAfterAll(smallS3());
const { credentials } = s3.settings;
// Where the SDK finds them by itself.
vi.stubEnv('AWS_ACCESS_KEY_ID', credentials?.accessKeyId);
vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials?.secretAccessKey);
const gateway = await disposeAfterAll(testGateway({ ...s3.env, EVIDENCE_STORE: 's3' }));
const token = await gateway.token();

afterAll(() => vi.unstubAllEnvs());

function register(file: Buffer) {
  const evidences = [{ evidenceFile: file.toString('base64'), evidenceType: 'SELFIE' }];
  return call(`${gateway.url}/collector/linked-partner/request`, {
    token,
    body: linkedPartnerBody({ evidences }),
  });
}

function lastFile() {
  return gateway.state.registered.at(-1)?.input.evidence?.items[0]?.file;
}

describe('a gateway with its evidence in S3', () => {
  test('puts large evidence into the bucket under incoming/, encrypted, and tells intake where it lies', async () => {
    expect((await register(large)).status).toBe(200);
    const object = lastFile()?.object;
    expect(object).toMatchObject({ store: 's3', area: 'incoming', sizeBytes: large.length + 28 });
    if (object === undefined) throw new Error('it has no entry');
    const stored = await s3EvidenceStore(s3.settings).get(object).bytes();
    expect(stored.includes(large.subarray(0, 1_000))).toBe(false);
  });

  test('shows a reviewer what intake handed out an address for', async () => {
    const { key, size, sha256: digest, stored } = sealFile(large);
    const store = s3EvidenceStore(s3.settings);
    const object = await store.keep(stored);
    const link = randomBytes(32).toString('base64url');
    const file = { mediaType: 'application/pdf', size, sha256: digest, object };
    const address = await store.addressOf(object);
    gateway.state.reviews.links.set(sha256(link), { operatorId: operator.operatorId, key, file, address });
    const url = `${gateway.url}/review/evidence/${link}`;
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(large)).toBe(true);
    await store.remove(object);
    expect((await call(url)).error().code).toBe('PAYLOAD_EXPIRED');
  });

  test('whose store is away answers large evidence 503, takes small evidence, and stays ready', async () => {
    await s3.stop();
    const refused = await register(large);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await register(png)).status).toBe(200);
    expect(lastFile()?.content).toBeDefined();
    expect(await gateway.health.readiness()).toMatchObject({ ready: true });
  });
});
