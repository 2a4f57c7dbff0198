import { setTimeout as delay } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { type TestCeph, testCeph } from '@rubrica/testkit/ceph';
import { expect, it } from 'vitest';
import { queryStack } from '../e2e/support/ledger.ts';
import type { PartnerActor } from '../e2e/support/partner-actor.ts';
import { until } from '../e2e/support/poll.ts';
import { openScene } from '../e2e/support/scene.ts';
import { type Fault, registerUnder, type Size, type UserFacingError } from '../e2e/support/store-load.ts';
import { say, sayTable } from './support/say.ts';

/** A part of all of it, such as `EVIDENCE_DRILL_SHARE=0.02`, for a look in between. */
const share = Number(process.env.EVIDENCE_DRILL_SHARE ?? 1);
const awaySeconds = Math.max(15, 120 * share);
const region = 'us-east-1';
const bucket = 'evidence';
/** Loops of intake look each minute. */
const patience = { deadlineMs: 600_000 };

interface Wrong extends Omit<Fault, 'counts' | 'bytes'> {
  /** Of all that is registered in the drill. */
  readonly part: number;
}

function under(partner: PartnerActor, { part, ...fault }: Wrong): Promise<readonly UserFacingError[]> {
  const counts = { small: Math.ceil(2_000 * share * part), large: Math.ceil(200 * share * part) };
  return registerUnder(partner, { counts, bytes: { small: 40_000, large: 4_900_000 }, ...fault });
}

/** Ceph takes nothing more where its disks are fuller than this; those of the drill never are. */
async function leaveRoom(ceph: TestCeph, hasRoom: boolean): Promise<void> {
  const ratios = [
    ['nearfull', 0.85],
    ['backfillfull', 0.9],
    ['full', 0.95],
  ] as const;
  // None may be above the one behind it, at no moment.
  for (const [name, ratio] of hasRoom ? ratios.toReversed() : ratios)
    await ceph.ceph('osd', `set-${name}-ratio`, String(hasRoom ? ratio : ratio / 10_000));
  await until(`Ceph says that there is ${hasRoom ? '' : 'no '}room`, async () => {
    const isFull = (await ceph.ceph('health')).includes('full osd');
    return isFull !== hasRoom || undefined;
  });
}

function rowOf(what: string, told: readonly UserFacingError[]) {
  const of = (size: Size, status: number) =>
    told.filter((one) => one.size === size && one.status === status).length;
  const slowest = (wanted: number) =>
    Math.max(
      0,
      ...told
        .filter(({ size, status }) => size === 'large' && status === wanted)
        .map(({ seconds }) => seconds),
    ).toFixed(1);
  return [
    what,
    of('small', 200),
    of('small', 503),
    of('large', 200),
    of('large', 503),
    slowest(200),
    slowest(503),
  ];
}

it('nothing that was accepted is lost while an OSD dies, the gateway is away and the store is full', {
  timeout: 3_600_000,
}, async () => {
  say('a Ceph with three OSDs');
  await using ceph = await testCeph();
  const { endpoint, credentials } = ceph;
  const owner = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  await owner.send(new CreateBucketCommand({ Bucket: bucket }));
  owner.destroy();
  await using scene = await openScene({
    env: {
      EVIDENCE_STORE: 's3',
      EVIDENCE_S3_BUCKET: bucket,
      EVIDENCE_S3_ENDPOINT: endpoint,
      EVIDENCE_S3_PATH_STYLE: 'true',
      EVIDENCE_MOVE_AFTER: 'end',
      EVIDENCE_MOVE_MB_PER_SECOND: '100',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  });
  const { stack } = scene;
  const partner = scene.partners.sandbox;

  say('an OSD dies and comes back');
  const [osd] = ceph.osds;
  const dying = await under(partner, {
    part: 0.5,
    seconds: awaySeconds * 1.5,
    async happen() {
      await delay(awaySeconds * 250);
      await osd?.kill();
      await delay(awaySeconds * 1_000);
      await osd?.start();
      await delay(awaySeconds * 250);
    },
  });
  say(`the gateway of S3 is away for ${awaySeconds} s`);
  await ceph.gateway.kill();
  const away = await under(partner, {
    part: 0.25,
    seconds: awaySeconds,
    happen: () => delay(awaySeconds * 1_000),
  });
  await ceph.gateway.start();
  say('the store is full: its owner may put nothing more');
  await ceph.admin('quota', 'set', '--quota-scope=user', '--uid=rubrica', '--max-size=1');
  await ceph.admin('quota', 'enable', '--quota-scope=user', '--uid=rubrica');
  const full = { part: 0.125, seconds: awaySeconds / 2, happen: () => delay(awaySeconds * 500) };
  const overQuota = await under(partner, full);
  await ceph.admin('quota', 'disable', '--quota-scope=user', '--uid=rubrica');
  say('the store is full: no disk has room');
  await leaveRoom(ceph, false);
  const noRoom = await under(partner, full);
  await leaveRoom(ceph, true);

  const all = [...dying, ...away, ...overQuota, ...noRoom];
  const accepted = all.flatMap(({ reference }) => reference ?? []);
  say(`${accepted.length} accepted; all of it is over`);
  for (const reference of accepted) await partner.reaches(reference, 'GENERATED', patience.deadlineMs);
  say('all of them have their certificate');
  await until(
    'the mover to have caught up',
    async () => {
      const left = await queryStack(
        stack,
        "select 1 from intake.evidence where content is not null or object ->> 'area' = 'incoming'",
      );
      return left.length === 0 || undefined;
    },
    patience,
  );
  say('the mover has caught up');
  const store = s3EvidenceStore({ endpoint, region, bucket, pathStyle: true, keyPrefix: '', credentials });
  const rows = await queryStack<{ object: Parameters<typeof store.get>[0] }>(
    stack,
    'select object from intake.evidence where object is not null',
  );
  for (const { object } of rows) await store.get(object).bytes();
  sayTable([
    ['', '40 kB taken', '40 kB 503', '5 MB taken', '5 MB 503', 'slowest taken, s', 'slowest 503, s'],
    rowOf('an OSD dies', dying),
    rowOf('the gateway is away', away),
    rowOf('its quota is used up', overQuota),
    rowOf('no disk has room', noRoom),
    [`${rows.length} files read from the store and compared`],
  ]);

  expect(rows).toHaveLength(accepted.length);
  expect(all.filter(({ size, status }) => size === 'small' && status !== 200)).toEqual([]);
  const refused = all.filter(({ status }) => status !== 200);
  expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
  expect(away.filter(({ size, status }) => size === 'large' && status !== 503)).toEqual([]);
  expect(refused.filter(({ seconds }) => seconds > 5)).toEqual([]);
});
