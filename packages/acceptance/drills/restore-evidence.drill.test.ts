import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { type Stack, startStack } from '@rubrica/stack';
import { makeEvidence } from '@rubrica/testkit';
import { type TestCeph, testCeph } from '@rubrica/testkit/ceph';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import { expect, it } from 'vitest';
import { queryStack } from '../e2e/support/ledger.ts';
import { partnerActor } from '../e2e/support/partner-actor.ts';
import { until } from '../e2e/support/poll.ts';
import { bucketCommands } from './support/bucket-copy.ts';
import {
  archiveAll,
  archiveWal,
  backupFolders,
  takeBaseBackup,
  withSuperuser,
} from './support/postgres-backup.ts';
import { registerWithoutEnd } from './support/registrations.ts';
import { destroy, keepSecrets, restoreElsewhere } from './support/restore-stack.ts';
import { say, sayTable } from './support/say.ts';

const region = 'us-east-1';
const nameMismatch = '2450000803';
/** Too large for a row: it lies under `incoming/` until its request has ended. */
const scan = makeEvidence(400_000);
const buckets = ['evidence', 'evidence-copy', 'evidence-restored'] as const;
type Bucket = (typeof buckets)[number];
/** Clocks of the database and of the store may differ. */
const marginMs = 60_000;

interface Row {
  readonly object: Parameters<ReturnType<typeof storeOf>['get']>[0];
}

function storeOf({ endpoint, credentials }: TestCeph, bucket: Bucket) {
  return s3EvidenceStore({ endpoint, region, bucket, pathStyle: true, keyPrefix: '', credentials });
}

function envOf({ endpoint, credentials }: TestCeph, bucket: Bucket) {
  return {
    EVIDENCE_STORE: 's3',
    EVIDENCE_S3_BUCKET: bucket,
    EVIDENCE_S3_ENDPOINT: endpoint,
    EVIDENCE_S3_PATH_STYLE: 'true',
    EVIDENCE_MOVE_AFTER: 'end',
    EVIDENCE_MOVE_MB_PER_SECOND: '100',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

async function makeBuckets(ceph: TestCeph): Promise<void> {
  const { endpoint, credentials } = ceph;
  const owner = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  for (const Bucket of buckets) {
    await owner.send(new CreateBucketCommand({ Bucket }));
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await owner.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  }
  owner.destroy();
}

function rowsOf(stack: Pick<Stack, 'info'>): Promise<Row[]> {
  return queryStack<Row>(stack, 'select object from intake.evidence where object is not null');
}

/** Reads what rows name, and compares. @returns how much of it is not there */
async function missingIn(store: ReturnType<typeof storeOf>, rows: readonly Row[]): Promise<number> {
  let missing = 0;
  for (const { object } of rows)
    await store
      .get(object)
      .bytes()
      .catch((error) => {
        if (error.code !== 'missing') throw error;
        missing += 1;
      });
  return missing;
}

/** What intake's sweep does once it is forty minutes old. */
async function sweep(store: ReturnType<typeof storeOf>, rows: readonly Row[]): Promise<number> {
  const names = new Set(rows.map(({ object }) => object.id));
  return (await store.sweep({ olderThanMs: -60_000, wanted: async () => names })).removed;
}

it('a database restored to a point finds the evidence that its rows name, in its bucket and in a copy of that', {
  timeout: 1_800_000,
}, async () => {
  say('a Ceph with three OSDs, a bucket with versions, one for a copy of it, one to restore to');
  await using ceph = await testCeph();
  await makeBuckets(ceph);
  const commands = bucketCommands({ ...ceph, region });
  await commands.assertInstalled();
  await using lost = await stackHome('restore-lost');
  await using elsewhere = await stackHome('restore-elsewhere');
  const source = await startStack({ home: lost.home, port: await freePort(), env: envOf(ceph, 'evidence') });
  await using _ended = { [Symbol.asyncDispose]: () => source.stop() };
  await lost.remember(source.info().databaseUrl);
  await using partner = await partnerActor(source.info(), 'sandbox');
  const postgres = await backupFolders(lost.folder);
  await withSuperuser(source.info().databaseUrl, (client) => archiveWal(client, lost.folder, postgres));
  await source.postgres.restart();

  const load = registerWithoutEnd(partner, { inFlight: 8, nameMismatch, scan });
  await load.advance(5);
  await takeBaseBackup(source.info().databaseUrl, postgres);
  await load.advance(15);
  const at = new Date();
  await load.advance(5);
  await load.stop();
  // Each half hour: nothing is removed that is not older.
  await commands.copy('evidence', 'evidence-copy', '--delete');
  say(`point in time ${at.toISOString()}, ${load.accepted.length} accepted; the mover and the sweep go on`);
  const isIncoming = `object ->> 'area' = 'incoming' and request.status = 'GENERATED'`;
  await until(
    'what ended to have been moved',
    async () => {
      const from = 'intake.evidence join intake.request on request.id = evidence.request_id';
      const left = await queryStack(source, `select 1 from ${from} where ${isIncoming}`);
      return left.length === 0 || undefined;
    },
    { deadlineMs: 600_000 },
  );
  const removed = await sweep(storeOf(ceph, 'evidence'), await rowsOf(source));
  await commands.copy('evidence', 'evidence-copy', '--delete');
  await archiveAll(source.info().databaseUrl);
  await keepSecrets(source.home, elsewhere.home);
  say(`${removed} objects moved and removed since the point, in the copy too; everything else is destroyed`);
  await destroy(source);

  const since = new Date(at.getTime() - marginMs);
  const inCopy = await commands.bringBack('evidence-copy', since);
  await commands.copy('evidence-copy', 'evidence-restored');
  const restored = await restoreElsewhere(elsewhere.home, {
    ...{ folder: lost.folder, postgres, at },
    env: envOf(ceph, 'evidence-restored'),
  });
  await using _restored = { [Symbol.asyncDispose]: () => restored.stop() };
  await elsewhere.remember(restored.info().databaseUrl);
  // Before its mover comes round.
  const rows = await rowsOf(restored);
  const lacking = await missingIn(storeOf(ceph, 'evidence'), rows);
  const inBucket = await commands.bringBack('evidence', since);
  expect(await missingIn(storeOf(ceph, 'evidence'), rows)).toBe(0);
  expect(await missingIn(storeOf(ceph, 'evidence-restored'), rows)).toBe(0);
  expect(lacking).toBeGreaterThan(0);
  expect(await commands.bringBack('evidence', since)).toBe(0);

  await using again = await partnerActor(restored.info(), 'sandbox');
  const owed = load.accepted.filter(({ answeredAt }) => answeredAt < at);
  expect(rows.length).toBeGreaterThanOrEqual(owed.length);
  for (const { reference, ends } of owed) await again.reaches(reference, ends, 240_000);
  expect(await missingIn(storeOf(ceph, 'evidence-restored'), await rowsOf(restored))).toBe(0);
  sayTable([
    [owed.length, 'accepted before the point, all at their end'],
    [
      rows.length,
      'files that restored rows name, each read and compared, in the bucket and in the restored copy',
    ],
    [lacking, 'of them were not in the bucket any more before they were brought back'],
    [inBucket, 'removals taken back in the bucket'],
    [inCopy, 'removals taken back in its copy'],
  ]);
});
