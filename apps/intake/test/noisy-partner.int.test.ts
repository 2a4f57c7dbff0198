import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, makePng, pollFor } from '@rubrica/testkit';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { asPartner, makeRegistration, type partnerIds, runningIntake } from './support/running-intake.ts';
import { sealFiles } from './support/seal-files.ts';

/** Fewest slots that there are, and one checker: what one partner sends is all that there is to do. */
const intake = await disposeAfterAll(
  runningIntake({
    VALIDATION_WORKERS: '1',
    FILE_CHECKERS: '1',
    REQUEST_MAX_MEGAPIXELS: '80',
  }),
);

type PartnerKey = keyof typeof partnerIds;

async function register(partner: PartnerKey, files: readonly Uint8Array[]): Promise<string> {
  const requestId = uuidv7();
  const gateway = await intake.ground.peer('gateway');
  const evidence = await sealFiles({ ...gateway, requestId }, files);
  // Goes to a person: validation runs to its end, and no other service is needed.
  const input = makeRegistration({ identificationNumber: '2450001504' }, { requestId, evidence });
  await intake.client(asPartner(partner)).requests.register.mutate(input);
  return requestId;
}

function statusOf(requestId: string, partner: PartnerKey) {
  return intake.client(asPartner(partner)).requests.status.query({ family: 'TV', requestId });
}

/** A picture of one colour, which takes much longer to decode than to send. */
function picture(side: number): Promise<Buffer> {
  return sharp(Buffer.alloc(side * side, 255), { raw: { width: side, height: side, channels: 1 } })
    .png({ compressionLevel: 9, palette: true, colours: 2 })
    .toBuffer();
}

describe('a request whose pictures exceed the budget of pixels', () => {
  it('is refused those beyond it, each by its name', async () => {
    const pictures = Array.from({ length: 19 }, () => picture(2_000));
    const requestId = await register('other', await Promise.all([...pictures, picture(3_000)]));
    const { observation } = await pollFor(async () => {
      const record = await statusOf(requestId, 'other');
      return record.status === 'ERROR' && record;
    });
    expect(observation).toMatchObject({
      code: 'EVIDENCE_INVALID',
      message:
        'evidences[19].evidenceFile has 3000 x 3000 pixels, with which the pictures of the request exceed 80 megapixels; send smaller pictures',
    });
  });
});

describe('a partner that sends 300 pictures', () => {
  it('does not keep another partner waiting behind them', { timeout: 180_000 }, async () => {
    const pictures = Array.from({ length: 20 }, () => picture(2_000));
    const files = await Promise.all(pictures);
    const noisy = await Promise.all(Array.from({ length: 15 }, () => register('other', files)));
    const requestId = await register('sandbox', [makePng(70_000), await picture(2_000)]);
    await pollFor(
      async () => (await statusOf(requestId, 'sandbox')).validationStatus === 'MANUALLY_VALIDATING',
    );
    expect(await overOf(noisy)).toEqual([]);
    await pollFor(async () => (await overOf(noisy)).length === noisy.length, { deadlineMs: 150_000 });
  });
});

function overOf(ids: readonly string[]) {
  return intake.query(
    `select id from intake.request where id = any($1) and validation_status = 'MANUALLY_VALIDATING'`,
    [ids],
  );
}
