import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  CreateBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { evidenceStoreRules } from '@rubrica/evidence-store/rules';
import { readAddress, s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { type S3Credentials, type TestCeph, testCeph } from '@rubrica/testkit/ceph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say, sayTable } from './support/say.ts';

const folder = resolve(import.meta.dirname, '../../../deploy/s3');
const region = 'us-east-1';
const anyAge = { olderThanMs: -60_000 };
const bytes = Buffer.from('a passport, sealed');

let ceph: TestCeph;
type Store = ReturnType<typeof s3EvidenceStore>;
let gateway: Store;
let intake: Store;
let stranger: Store;

function storeOf(credentials: S3Credentials, bucket = 'evidence'): Store {
  return s3EvidenceStore({
    endpoint: ceph.endpoint,
    region,
    bucket,
    pathStyle: true,
    keyPrefix: '',
    credentials,
  });
}

async function deployed(name: string) {
  return JSON.parse(await readFile(resolve(folder, name), 'utf8'));
}

beforeAll(async () => {
  say('a Ceph with three OSDs');
  ceph = await testCeph();
  const { endpoint, credentials } = ceph;
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  for (const Bucket of ['evidence', 'rules']) await client.send(new CreateBucketCommand({ Bucket }));
  gateway = storeOf(await ceph.addUser('gateway'));
  intake = storeOf(await ceph.addUser('intake'));
  stranger = storeOf(await ceph.addUser('stranger'));
  const Bucket = 'evidence';
  await client.send(
    new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
  );
  await client.send(
    new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify(await deployed('bucket-policy.json')) }),
  );
  await client.send(
    new PutBucketLifecycleConfigurationCommand({
      Bucket,
      LifecycleConfiguration: await deployed('lifecycle.json'),
    }),
  );
  client.destroy();
  say('the bucket has the policy and the life cycle of deploy/s3');
});
afterAll(() => ceph?.[Symbol.asyncDispose]());

async function uploaded(store: Store, content: Buffer = bytes) {
  const upload = store.upload();
  upload.write(content);
  return upload.finish();
}

async function drained(store: Store): Promise<number> {
  let count = 0;
  for await (const _ of store.list(anyAge)) count += 1;
  return count;
}

describe('evidence in Ceph', () => {
  evidenceStoreRules(() => storeOf(ceph.credentials, 'rules'));
});

it('gateway and intake can do what they need, and nothing else, and a stranger nothing', async () => {
  const incoming = await uploaded(gateway);
  const kept = await intake.keep(bytes);
  const acts: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
    'put in incoming/': (store) => uploaded(store),
    'put 9 MB there, in parts': (store) => uploaded(store, Buffer.alloc(9_000_000)),
    'put in kept/': (store) => store.keep(bytes),
    'read incoming/': (store) => store.get(incoming).bytes(),
    'read kept/': (store) => store.get(kept).bytes(),
    list: (store) => drained(store),
    'remove from kept/': async (store) => store.remove(await intake.keep(bytes)),
    'be known': (store) => store.probe(),
  };
  const seen: Record<string, string[]> = {};
  for (const [what, act] of Object.entries(acts))
    seen[what] = await Promise.all(
      [gateway, intake, stranger].map((store) =>
        act(store).then(
          () => 'yes',
          (error: { code?: string; message: string }) => (error.code === 'forbidden' ? 'no' : error.message),
        ),
      ),
    );
  sayTable([
    ['', 'gateway', 'intake', 'stranger'],
    ...Object.entries(seen).map(([what, by]) => [what, ...by]),
  ]);
  expect(seen).toEqual({
    'put in incoming/': ['yes', 'no', 'no'],
    'put 9 MB there, in parts': ['yes', 'no', 'no'],
    'put in kept/': ['no', 'yes', 'no'],
    'read incoming/': ['no', 'yes', 'no'],
    'read kept/': ['no', 'yes', 'no'],
    list: ['no', 'yes', 'no'],
    'remove from kept/': ['no', 'yes', 'no'],
    'be known': ['yes', 'yes', 'yes'],
  });
});

it('the gateway reads at an address of intake’s, and what is gone is missing and not refused', async () => {
  const entry = await uploaded(gateway);
  const address = (await intake.addressOf(entry)) ?? '';
  expect(await readAddress({ address, entry })).toEqual(bytes);
  const other = (await gateway.addressOf(entry)) ?? '';
  await expect(readAddress({ address: other, entry })).rejects.toMatchObject({ code: 'unavailable' });
  await intake.remove(entry);
  await expect(intake.get(entry).bytes()).rejects.toMatchObject({ code: 'missing' });
  await expect(readAddress({ address, entry })).rejects.toMatchObject({ code: 'missing' });
});

it('a store without room is full and can be read, and one whose gateway died is unavailable until it is back', async () => {
  const entry = await intake.keep(bytes);
  await ceph.admin('quota', 'set', '--quota-scope=user', '--uid=rubrica', '--max-size=1');
  await ceph.admin('quota', 'enable', '--quota-scope=user', '--uid=rubrica');
  await expect(intake.keep(Buffer.alloc(100_000))).rejects.toMatchObject({ code: 'full' });
  expect(await intake.get(entry).bytes()).toEqual(bytes);
  await ceph.admin('quota', 'disable', '--quota-scope=user', '--uid=rubrica');
  await ceph.gateway.kill();
  await expect(intake.keep(bytes)).rejects.toMatchObject({ code: 'unavailable' });
  await ceph.gateway.start();
  await expect.poll(() => intake.keep(bytes).then(() => 'kept', String)).toBe('kept');
});
