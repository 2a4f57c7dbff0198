import { setTimeout as delay } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { linkedPartnerResultSchema } from '@rubrica/contracts/rest/linked-partner';
import { s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { makeEvidence } from '@rubrica/testkit';
import { testCeph } from '@rubrica/testkit/ceph';
import { expect, it } from 'vitest';
import { queryStack } from '../e2e/support/ledger.ts';
import type { PartnerActor } from '../e2e/support/partner-actor.ts';
import { until } from '../e2e/support/poll.ts';
import { openScene } from '../e2e/support/scene.ts';
import { say, sayTable } from './support/say.ts';

/** A part of all of it, such as `EVIDENCE_DRILL_SHARE=0.02`, for a look in between. */
const share = Number(process.env.EVIDENCE_DRILL_SHARE ?? 1);
const counts = { small: Math.ceil(2_000 * share), large: Math.ceil(200 * share) };
const awaySeconds = Math.max(15, 120 * share);
const region = 'us-east-1';
const bucket = 'evidence';
const files = { small: makeEvidence(40_000), large: makeEvidence(4_900_000) };
type Size = keyof typeof files;
const inFlight: Readonly<Record<Size, number>> = { small: 6, large: 2 };
/** Loops of intake look each minute. */
const patience = { deadlineMs: 600_000 };

interface Told {
  readonly size: Size;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly seconds: number;
  readonly reference: string | undefined;
}

async function registerOne(partner: PartnerActor, size: Size): Promise<Told> {
  const began = performance.now();
  const answer = await partner.register({ evidences: [files[size]] });
  const { status } = answer;
  return {
    size,
    status,
    retryAfter: answer.headers.get('retry-after'),
    seconds: (performance.now() - began) / 1_000,
    reference: status === 200 ? linkedPartnerResultSchema.parse(answer.body).referenceTransaction : undefined,
  };
}

/** Registers these many of each size, beside what goes wrong meanwhile; goes on until that is over. */
async function under(
  partner: PartnerActor,
  part: number,
  goesWrong: () => Promise<void>,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  let isOver = false;
  const wrong = goesWrong().finally(() => {
    isOver = true;
  });
  const work = async (size: Size) => {
    const goal = Math.ceil(counts[size] * part);
    const done = () => told.filter((one) => one.size === size).length;
    while (done() < goal || !isOver) {
      told.push(await registerOne(partner, size));
      // As many as were asked for, and then a few until it is over.
      if (done() >= goal) await delay(500);
    }
  };
  const workers = (['small', 'large'] as const).flatMap((size) =>
    Array.from({ length: inFlight[size] }, () => work(size)),
  );
  await Promise.all([wrong, ...workers]);
  return told;
}

function rowOf(what: string, told: readonly Told[]) {
  const of = (size: Size, status: number) =>
    told.filter((one) => one.size === size && one.status === status).length;
  const slowest = Math.max(0, ...told.filter(({ status }) => status === 503).map(({ seconds }) => seconds));
  return [what, of('small', 200), of('small', 503), of('large', 200), of('large', 503), slowest.toFixed(1)];
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
  const dying = await under(partner, 0.5, async () => {
    await delay(awaySeconds * 250);
    await osd?.kill();
    await delay(awaySeconds * 1_000);
    await osd?.start();
  });
  say(`the gateway of S3 is away for ${awaySeconds} s`);
  await ceph.gateway.kill();
  const away = await under(partner, 0.25, () => delay(awaySeconds * 1_000));
  await ceph.gateway.start();
  say('the store is full');
  await ceph.admin('quota', 'set', '--quota-scope=user', '--uid=rubrica', '--max-size=1');
  await ceph.admin('quota', 'enable', '--quota-scope=user', '--uid=rubrica');
  const full = await under(partner, 0.25, () => delay(awaySeconds * 250));
  await ceph.admin('quota', 'disable', '--quota-scope=user', '--uid=rubrica');

  const all = [...dying, ...away, ...full];
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
    ['', '40 kB taken', '40 kB 503', '5 MB taken', '5 MB 503', 'slowest 503, s'],
    rowOf('an OSD dies', dying),
    rowOf('the gateway is away', away),
    rowOf('the store is full', full),
    [`${rows.length} files read from the store and compared`],
  ]);

  expect(rows).toHaveLength(accepted.length);
  expect(all.filter(({ size, status }) => size === 'small' && status !== 200)).toEqual([]);
  const refused = all.filter(({ status }) => status !== 200);
  expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
  expect(away.filter(({ size, status }) => size === 'large' && status !== 503)).toEqual([]);
  expect(refused.filter(({ seconds }) => seconds > 5)).toEqual([]);
});
