import { setTimeout as delay } from 'node:timers/promises';
import { s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { smallS3 } from '@rubrica/evidence-store/small-s3';
import { expect, it } from 'vitest';
import { queryStack } from '../support/ledger.ts';
import { openScene } from '../support/scene.ts';
import { registerUnder } from '../support/store-load.ts';

/** Of each size in each of three parts. */
const load = {
  counts: { small: 6, large: 2 },
  // More than a row may have.
  bytes: { small: 40_000, large: 400_000 },
  seconds: 2,
  happen: () => delay(2_000),
};

// The short form of `npm run drills -- evidence-store`. What the mover does while its store is away is tried in intake.
it('nothing that was accepted is lost while the evidence store is away or full, and small evidence goes on', async () => {
  await using s3 = await smallS3();
  const { accessKeyId = '', secretAccessKey = '' } = s3.settings.credentials ?? {};
  await using scene = await openScene({
    env: {
      ...s3.env,
      EVIDENCE_STORE: 's3',
      EVIDENCE_MOVE_AFTER: 'end',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
  const partner = scene.partners.sandbox;
  const well = await registerUnder(partner, load);
  await s3.stop();
  const away = await registerUnder(partner, load);
  await s3.start();
  s3.setFull(true);
  const full = await registerUnder(partner, load);
  s3.setFull(false);

  const all = [...well, ...away, ...full];
  expect(all.filter(({ size, status }) => size === 'small' && status !== 200)).toEqual([]);
  expect(well.filter(({ status }) => status !== 200)).toEqual([]);
  const refused = [...away, ...full].filter(({ size }) => size === 'large');
  expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
  const accepted = all.flatMap(({ reference }) => reference ?? []);
  for (const reference of accepted) await partner.reaches(reference, 'GENERATED');
  const store = s3EvidenceStore(s3.settings);
  const rows = await queryStack<{ object: Parameters<typeof store.get>[0] | null }>(
    scene.stack,
    'select object from intake.evidence where object is not null or content is not null',
  );
  expect(rows).toHaveLength(accepted.length);
  for (const { object } of rows) if (object !== null) await store.get(object).bytes();
  expect(rows.filter(({ object }) => object !== null).length).toBeGreaterThanOrEqual(2);
});
