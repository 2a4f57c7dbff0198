import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutObjectRetentionCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { type S3Credentials, type TestCeph, testCeph } from '@rubrica/testkit/ceph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryStack } from '../e2e/support/ledger.ts';
import { byTwoAdministrators, operatorActor } from '../e2e/support/operator-actor.ts';
import { until } from '../e2e/support/poll.ts';
import { openScene } from '../e2e/support/scene.ts';
import { say, sayTable } from './support/say.ts';

const folder = resolve(import.meta.dirname, '../../../deploy/s3');
const region = 'us-east-1';
const Bucket = 'evidence';
const bytes = Buffer.from('a passport, sealed');
/** Loops of intake look each minute, at a moment of their own. */
const patience = { deadlineMs: 240_000 };

let ceph: TestCeph;
let owner: S3Client;
let users: Record<'gateway' | 'intake' | 'stranger', S3Credentials>;

/** The drill itself, which owns the bucket: in Ceph that alone opens no object of others. */
const mayAll = {
  Effect: 'Allow',
  Principal: { AWS: ['arn:aws:iam:::user/rubrica'] },
  Action: ['s3:*'],
  Resource: ['arn:aws:s3:::evidence', 'arn:aws:s3:::evidence/*'],
};

async function deployed(name: string) {
  return JSON.parse(await readFile(resolve(folder, name), 'utf8'));
}

function clientOf(credentials: S3Credentials): S3Client {
  return new S3Client({ endpoint: ceph.endpoint, region, forcePathStyle: true, credentials });
}

function storeOf(credentials: S3Credentials, objectLock: 'governance' | 'compliance', bucket = Bucket) {
  const { endpoint } = ceph;
  const store = s3EvidenceStore({
    ...{ endpoint, region, bucket, pathStyle: true, keyPrefix: '', credentials },
    objectLock,
  });
  if (store.locks === undefined) throw new Error('S3 without locks');
  return { ...store, locks: store.locks };
}

beforeAll(async () => {
  say('a Ceph with three OSDs');
  ceph = await testCeph();
  owner = clientOf(ceph.credentials);
  users = {
    gateway: await ceph.addUser('gateway'),
    intake: await ceph.addUser('intake'),
    stranger: await ceph.addUser('stranger'),
  };
  await owner.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
  await owner.send(new CreateBucketCommand({ Bucket: 'plain' }));
  const policy = await deployed('bucket-policy.json');
  policy.Statement.push(...(await deployed('object-lock.json')).Statement);
  policy.Statement.push(mayAll);
  await owner.send(new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify(policy) }));
  const LifecycleConfiguration = await deployed('lifecycle.json');
  await owner.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
  say('a bucket with object lock, and policy and life cycle of deploy/s3');
});
afterAll(async () => {
  owner?.destroy();
  await ceph?.[Symbol.asyncDispose]();
});

interface Locked {
  readonly mode: string | undefined;
  readonly until: Date | undefined;
  readonly isHeld: boolean;
}

async function lockOf(id: string): Promise<Locked> {
  const head = await owner.send(new HeadObjectCommand({ Bucket, Key: `kept/${id}` }));
  const { ObjectLockMode, ObjectLockRetainUntilDate, ObjectLockLegalHoldStatus } = head;
  return {
    mode: ObjectLockMode,
    until: ObjectLockRetainUntilDate,
    isHeld: ObjectLockLegalHoldStatus === 'ON',
  };
}

async function versionsOf(id: string): Promise<{ Key: string; VersionId: string }[]> {
  const found = await owner.send(new ListObjectVersionsCommand({ Bucket, Prefix: `kept/${id}` }));
  return [...(found.Versions ?? []), ...(found.DeleteMarkers ?? [])].map(({ Key = '', VersionId = '' }) => ({
    Key,
    VersionId,
  }));
}

function inSeconds(seconds: number): Date {
  return new Date(Math.ceil(Date.now() / 1_000) * 1_000 + seconds * 1_000);
}

function told(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'yes',
    (error: { code?: string; name?: string; message: string }) =>
      error.code === 'forbidden' || error.name === 'AccessDenied' ? 'no' : error.message,
  );
}

describe.each(['governance', 'compliance'] as const)('in the mode %s', (mode) => {
  it.each([bytes.length, 9_000_000])(
    '%i bytes are kept until their date, and for longer under legal hold',
    async (size) => {
      const { locks, ...intake } = storeOf(users.intake, mode);
      const until = inSeconds(8);
      const entry = await intake.keep(Buffer.alloc(size), until);
      expect(await lockOf(entry.id)).toEqual({ mode: mode.toUpperCase(), until, isHeld: false });
      await locks.hold(entry, true);
      await locks.hold(entry, true);
      await expect(locks.destroy(entry)).rejects.toMatchObject({ code: 'forbidden' });
      // What only covers it up leaves it there.
      await intake.remove(entry);
      await expect(locks.destroy(entry)).rejects.toMatchObject({ code: 'forbidden' });
      const [marker] = (await versionsOf(entry.id)).slice(-1);
      await owner.send(new DeleteObjectCommand({ Bucket, ...(marker as { Key: string }) }));
      await locks.hold(entry, false);
      const later = inSeconds(12);
      await locks.retain(entry, later);
      await expect(locks.retain(entry, inSeconds(3))).rejects.toMatchObject({ code: 'forbidden' });
      expect(await lockOf(entry.id)).toEqual({ mode: mode.toUpperCase(), until: later, isHeld: false });
      await expect.poll(() => told(locks.destroy(entry)), { timeout: 30_000, interval: 500 }).toBe('yes');
      expect(Date.now()).toBeGreaterThanOrEqual(later.getTime());
      expect(await versionsOf(entry.id)).toEqual([]);
      await locks.destroy(entry);
    },
  );
});

it('intake alone locks, lifts and removes, and goes round no lock; and a bucket without locks says so', async () => {
  const intake = storeOf(users.intake, 'governance');
  const open = () => intake.keep(bytes);
  const locked = () => intake.keep(bytes, inSeconds(3_600));
  const acts: Readonly<Record<string, (credentials: S3Credentials) => Promise<unknown>>> = {
    'set a date': async (who) => storeOf(who, 'governance').locks.retain(await open(), inSeconds(60)),
    'set a legal hold': async (who) => storeOf(who, 'governance').locks.hold(await open(), true),
    'remove all versions': async (who) => storeOf(who, 'governance').locks.destroy(await open()),
    'remove what is locked': async (who) => storeOf(who, 'governance').locks.destroy(await locked()),
    'go round the lock': async (who) => {
      const { id } = await locked();
      const [version] = await versionsOf(id);
      const around = { Bucket, Key: `kept/${id}`, ...version, BypassGovernanceRetention: true };
      return clientOf(who).send(new DeleteObjectCommand(around));
    },
  };
  const seen: Record<string, string[]> = {};
  for (const [what, act] of Object.entries(acts))
    seen[what] = await Promise.all(
      [users.gateway, users.intake, users.stranger].map((who) => told(act(who))),
    );
  sayTable([
    ['', 'gateway', 'intake', 'stranger'],
    ...Object.entries(seen).map(([what, by]) => [what, ...by]),
  ]);
  expect(seen).toEqual({
    'set a date': ['no', 'yes', 'no'],
    'set a legal hold': ['no', 'yes', 'no'],
    'remove all versions': ['no', 'yes', 'no'],
    'remove what is locked': ['no', 'no', 'no'],
    'go round the lock': ['no', 'no', 'no'],
  });
  expect(await intake.locks.isReady()).toBe(true);
  const plain = storeOf(ceph.credentials, 'governance', 'plain');
  expect(await plain.locks.isReady()).toBe(false);
  await expect(plain.keep(bytes, inSeconds(60))).rejects.toMatchObject({ name: 'EvidenceStoreError' });
});

it('a stack locks what it moves until the retention ends, carries legal holds through, and removes what was erased', async () => {
  await using scene = await openScene({
    env: {
      EVIDENCE_STORE: 's3',
      EVIDENCE_S3_BUCKET: Bucket,
      EVIDENCE_S3_ENDPOINT: ceph.endpoint,
      EVIDENCE_S3_PATH_STYLE: 'true',
      EVIDENCE_OBJECT_LOCK: 'governance',
      EVIDENCE_MOVE_AFTER: 'end',
      AWS_ACCESS_KEY_ID: users.intake.accessKeyId,
      AWS_SECRET_ACCESS_KEY: users.intake.secretAccessKey,
    },
  });
  const { stack, partners } = scene;
  const { reference, requestId } = await partners.sandbox.accepted({ identificationNumber: '2450000803' });
  await partners.sandbox.reaches(reference, 'ERROR');
  await partners.sandbox.cancel({ referenceTransaction: reference, reason: 'not wanted' });
  const began = performance.now();
  const seconds = () => `${Math.round((performance.now() - began) / 1_000)} s`;

  const id = await until(
    'its evidence in the store',
    async () => {
      const [row] = await queryStack<{ id: string | null }>(
        stack,
        "select object ->> 'id' as id from intake.evidence where request_id = $1",
        [requestId],
      );
      return row?.id ?? undefined;
    },
    patience,
  );
  const [due] = await queryStack<{ at: Date }>(
    stack,
    "select date_trunc('second', evidence_due_at + interval '999 milliseconds') as at from intake.request where id = $1",
    [requestId],
  );
  const lock = { mode: 'GOVERNANCE', until: due?.at, isHeld: false };
  expect(await lockOf(id)).toEqual(lock);
  say(`${seconds()}: moved, and locked until ${due?.at.toISOString()}`);

  const admin = await operatorActor(stack.info(), 'admin');
  await admin.call('requests.legalHold', { requestId, reason: 'a court asked' });
  await until('the legal hold in the store', async () => (await lockOf(id)).isHeld || undefined, patience);
  say(`${seconds()}: under legal hold in the store`);
  const change = { requestId, reason: 'it is over' };
  await byTwoAdministrators(stack.info(), 'requests.releaseLegalHold', change);
  await until('no legal hold in the store', async () => !(await lockOf(id)).isHeld || undefined, patience);
  expect(await lockOf(id)).toEqual(lock);
  say(`${seconds()}: lifted in the store`);

  await byTwoAdministrators(stack.info(), 'requests.erase', { requestId, reason: 'asked' });
  const waiting = () =>
    queryStack(stack, 'select object_id as id from intake.evidence_lock where is_erased and due_at = $1', [
      due?.at,
    ]);
  await until('the erased one to wait for its lock', async () => (await waiting()).at(0), patience);
  expect(await lockOf(id)).toEqual(lock);
  say(`${seconds()}: erased; its bytes wait for the end of the lock`);

  // Ninety days pass: the owner of the bucket, who may, ends the lock, and the row says so.
  await owner.send(
    new PutObjectRetentionCommand({
      Bucket,
      Key: `kept/${id}`,
      Retention: { Mode: 'GOVERNANCE', RetainUntilDate: inSeconds(2) },
      BypassGovernanceRetention: true,
    }),
  );
  await queryStack(
    stack,
    "update intake.evidence_lock set retain_until = now() + interval '5 seconds', due_at = now() + interval '5 seconds'",
  );
  await until(
    'no version in the store',
    async () => (await versionsOf(id)).length === 0 || undefined,
    patience,
  );
  await until(
    'no lock in the database',
    async () => (await queryStack(stack, 'select 1 from intake.evidence_lock')).length === 0 || undefined,
    patience,
  );
  say(`${seconds()}: all versions are gone`);
  await scene.assertUntroubled();
});
