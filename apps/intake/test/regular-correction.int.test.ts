import { randomBytes } from 'node:crypto';
import { connectBus, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { createDatabase } from '@rubrica/database/connection';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { findRequestFiles } from '../src/requests/evidence/evidence-file.ts';
import { createOpenEvidence } from '../src/requests/evidence/open-evidence.ts';
import { sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { bundleOf, type FilesGiven, identity, makeCorrection, makeRegular } from './support/regular.ts';
import { asPartner, byTwo, runningIntake } from './support/running-intake.ts';
import { encryptFile, putObject } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const intake = await disposeAfterAll(runningIntake());

function sandbox() {
  return intake.client(asPartner('sandbox')).requests;
}

function statusOf(requestId: string) {
  return sandbox().status.query({ family: 'FR', requestId });
}

function until(requestId: string, status: string) {
  return pollFor(async () => {
    const record = await statusOf(requestId);
    return record.status === status && record;
  });
}

function correct(...args: Parameters<typeof makeCorrection>) {
  return sandbox().correct.mutate(makeCorrection(...args));
}

async function registered(...args: Parameters<typeof makeRegular>) {
  return (await sandbox().register.mutate(makeRegular(...args))).requestId;
}

/** Its fingerprint code is another than the registry's. */
async function inError(files: FilesGiven = identity) {
  const fields = { identificationNumber: '2450000704', fingerCode: 'A1234B5678' };
  const flag = files.identificationFront === 'application/pdf' ? { isIdentityCertificate: true } : {};
  const requestId = await registered({ ...fields, ...flag }, { files });
  await until(requestId, 'ERROR');
  return requestId;
}

/** As a reviewer's request for a correction leaves it. */
async function askedFor(fields: readonly string[], files: FilesGiven = identity) {
  const requestId = await inError(files);
  await intake.query(
    `update intake.request set error_code = 'DOCUMENT_ILLEGIBLE', error_fields = $2 where id = $1`,
    [requestId, JSON.stringify(fields)],
  );
  return requestId;
}

function attachmentsOf(requestId: string) {
  return intake.query<{ id: string; field: string; key: string | null; position: number }>(
    'select id, field, key, position from intake.evidence where request_id = $1 order by position',
    [requestId],
  );
}

function refused(http: number, faults: readonly string[]) {
  return {
    data: {
      httpStatus: http,
      details: faults.map((one) => {
        const [code, field] = one.split(' ');
        return expect.objectContaining({ code, field });
      }),
    },
  };
}

describe('a correction', () => {
  it('of the fingerprint code starts the request again, is not counted, and mends it', async () => {
    const requestId = await inError();
    expect(await statusOf(requestId)).toMatchObject({ correctableFields: ['fingerCode'] });
    const record = await correct(requestId, { corrections: { fingerCode: 'v4333v2222' } });
    expect(record).toMatchObject({
      requestId,
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      observation: null,
      correctableFields: [],
      retryCount: 0,
    });
    await until(requestId, 'APPROVED');
  });

  it('has no limit: the fourth wrong code is an error like the first', async () => {
    const requestId = await inError();
    for (const fingerCode of ['B1234B5678', 'C1234B5678', 'D1234B5678', 'E1234B5678']) {
      await correct(requestId, { corrections: { fingerCode } });
      expect(await until(requestId, 'ERROR')).toMatchObject({ retryCount: 0 });
    }
  });

  it('is refused where nothing is in error, before anything is said of its fields', async () => {
    const requestId = await registered();
    await until(requestId, 'APPROVED');
    for (const given of [{}, { corrections: { fingerCode: 'V4333V2222' } }, { files: identity }])
      await expect(correct(requestId, given)).rejects.toMatchObject({
        data: { appCode: 'REQUEST_STATE_NOT_ALLOWED', httpStatus: 409 },
      });
  });

  it('that is ill-formed is refused before the state is looked at', async () => {
    const requestId = await registered();
    await until(requestId, 'APPROVED');
    await expect(correct(requestId, { corrections: { fingerCode: 'NO' } })).rejects.toMatchObject(
      refused(400, ['FIELD_INVALID fingerCode']),
    );
  });

  it('takes only what the error names, and says so of each other field', async () => {
    const requestId = await inError();
    const files = { identificationSelfie: 'image/png', pdfCompanyRuc: 'application/pdf' };
    await expect(
      correct(requestId, { corrections: { fingerCode: 'V4333V2222' }, files }),
    ).rejects.toMatchObject(
      refused(400, ['FIELD_NOT_CORRECTABLE identificationSelfie', 'FIELD_NOT_CORRECTABLE pdfCompanyRuc']),
    );
    expect(await statusOf(requestId)).toMatchObject({ status: 'ERROR' });
    expect((await attachmentsOf(requestId)).every(({ key }) => key === null)).toBe(true);
  });

  it('of nothing is refused, naming the fields, where running the step again cannot help', async () => {
    const requestId = await inError();
    await expect(correct(requestId)).rejects.toMatchObject(refused(400, ['FIELD_REQUIRED fingerCode']));
    const images = await askedFor(['identificationFront', 'identificationSelfie']);
    await expect(correct(images, { corrections: { isIdentityCertificate: true } })).rejects.toMatchObject(
      refused(400, ['FIELD_REQUIRED identificationFront', 'FIELD_REQUIRED identificationSelfie']),
    );
  });

  it('of nothing runs the failed step again where that may help', async () => {
    const requestId = await registered({ identificationNumber: '2450001009' });
    await until(requestId, 'ERROR');
    expect(await correct(requestId)).toMatchObject({
      status: 'VALIDATING',
      validationStatus: 'AUTOMATICALLY_VALIDATING',
    });
    await until(requestId, 'APPROVED');
  });

  it('of nothing runs no generation that the database alone says has failed', async () => {
    const requestId = await inError();
    await intake.query(
      `update intake.request set error_code = 'KEY_GENERATION_FAILED', failed_step = 'generation',
         validation_status = 'COMPLETED' where id = $1`,
      [requestId],
    );
    await expect(correct(requestId)).rejects.toMatchObject({
      data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' },
    });
    expect(await intake.query('select status from intake.request where id = $1', [requestId])).toEqual([
      { status: 'ERROR' },
    ]);
  });

  it('is nobody’s but the partner’s own, and of no other family', async () => {
    const requestId = await inError();
    const other = intake.client(asPartner('other')).requests;
    await expect(other.correct.mutate(makeCorrection(requestId))).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
    await expect(sandbox().status.query({ family: 'TV', requestId })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    });
  });

  it('made several times at once is made once', async () => {
    const requestId = await inError();
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, () => correct(requestId, { corrections: { fingerCode: 'V4333V2222' } })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const again = await intake.query(
      `select 1 from intake.timeline where request_id = $1 and trigger = 'retryRegistration'`,
      [requestId],
    );
    expect(again).toHaveLength(1);
    await until(requestId, 'APPROVED');
  });
});

describe('attachments that are sent anew', () => {
  it('replace those of their own field, and the others stay, each with the key it was encrypted with', async () => {
    const requestId = await askedFor(['identificationFront', 'authorizationVideo']);
    const before = await attachmentsOf(requestId);
    const files = { identificationFront: 'image/jpeg', authorizationVideo: 'video/mp4' };
    await correct(requestId, {
      files,
      evidence: { ...bundleOf(requestId, files), key: 'sealed.of.the.correction' },
    });
    const after = await attachmentsOf(requestId);
    expect(after.map(({ field, key, position }) => [field, key, position])).toEqual([
      ['identificationFront', 'sealed.of.the.correction', 0],
      ['identificationBack', null, 1],
      ['identificationSelfie', null, 2],
      ['authorizationVideo', 'sealed.of.the.correction', expect.any(Number)],
    ]);
    expect(after.slice(1, 3).map(({ id }) => id)).toEqual(before.slice(1, 3).map(({ id }) => id));
  });

  it('open beside those that stayed; of the replaced the object goes with the sweep', async () => {
    const { keyring, streams: gateway } = await intake.ground.peer('gateway');
    const [gatewayBus, bus] = [
      await connectBus(gateway),
      await connectBus((await intake.ground.peer('intake')).streams),
    ];
    const store = objectStore(bus, evidenceBucket);
    const ownId = uuidv7();
    const bundle = async (contents: Record<string, string>) => {
      const key = randomBytes(32);
      const { items } = bundleOf(
        ownId,
        Object.fromEntries(Object.keys(contents).map((field) => [field, 'image/png'])),
      );
      for (const item of items) {
        const { content, ...sizes } = encryptFile(key, Buffer.from(contents[item.field ?? ''] ?? ''));
        const object = await putObject(gatewayBus, content);
        item.file = { mediaType: 'image/png', ...sizes, object };
      }
      const binding = { purpose: 'evidence-key', owner: ownId } as const;
      return { key: await keyring.sealTo('intake', key, binding), items, errors: [] };
    };
    const first = await bundle({
      identificationFront: 'f1',
      identificationBack: 'b1',
      identificationSelfie: 's1',
    });
    const requestId = await registered(
      { identificationNumber: '2450000704', fingerCode: 'A1234B5678' },
      { requestId: ownId, evidence: first },
    );
    await until(requestId, 'ERROR');
    await intake.query(`update intake.request set error_fields = '["identificationSelfie"]' where id = $1`, [
      requestId,
    ]);
    await correct(requestId, {
      files: { identificationSelfie: 'image/png' },
      evidence: await bundle({ identificationSelfie: 's2' }),
    });

    const { env } = intake.ground;
    const own = await loadKeyring(
      { keysFile: env.KEYS_FILE ?? '', peersFile: env.PEERS_FILE ?? '' },
      'intake',
    );
    const database = createDatabase({
      url: intake.ground.service.appUrl,
      schema,
      entities: [],
      logger: quiet,
    });
    const found = await findRequestFiles(database, requestId);
    const open = await createOpenEvidence({ keyring: own, stores: store })({
      requestId,
      sealedKey: found?.sealedKey ?? '',
    });
    const opened = await Promise.all((found?.files ?? []).map(open));
    expect(opened.map(String)).toEqual(['f1', 'b1', 's2']);

    expect(await sweepEvidenceObjects({ stores: [store], sql: database }, { olderThanMs: -1_000 })).toEqual({
      removed: 1,
      foreign: 0,
    });
    const selfie = first.items.find(({ field }) => field === 'identificationSelfie');
    if (selfie?.file?.object === undefined) throw new Error('no object');
    await expect(store.get(selfie.file.object).bytes()).rejects.toMatchObject({ code: 'missing' });
    await Promise.all([gatewayBus.drain(), bus.drain(), database.close()]);
  });

  it('are erased with their keys', async () => {
    const requestId = await askedFor(['identificationSelfie']);
    await correct(requestId, { files: { identificationSelfie: 'image/png' } });
    await until(requestId, 'ERROR');
    await intake.query(`update intake.request set status = 'EXPIRED' where id = $1`, [requestId]);
    await byTwo(intake, ({ requests }) => requests.erase.mutate({ requestId, reason: 'asked for' }));
    expect(await attachmentsOf(requestId)).toEqual([]);
  });

  it.each([
    ['without the flag', undefined],
    ['with the flag false', false],
  ])('and are PDFs in place of an identity image are 412 %s', async (_how, isIdentityCertificate) => {
    const requestId = await askedFor(['identificationFront']);
    await expect(
      correct(requestId, {
        corrections: { isIdentityCertificate },
        files: { identificationFront: 'application/pdf' },
      }),
    ).rejects.toMatchObject(refused(412, ['IDENTITY_CERTIFICATE_FLAG_REQUIRED isIdentityCertificate']));
    await correct(requestId, {
      corrections: { isIdentityCertificate: true },
      files: { identificationFront: 'application/pdf' },
    });
  });

  it('list a missing flag beside fields that may not be corrected, as 400', async () => {
    const requestId = await inError();
    await expect(
      correct(requestId, { files: { identificationFront: 'application/pdf' } }),
    ).rejects.toMatchObject(
      refused(400, [
        'FIELD_NOT_CORRECTABLE identificationFront',
        'IDENTITY_CERTIFICATE_FLAG_REQUIRED isIdentityCertificate',
      ]),
    );
  });

  it('may put images in place of an identity certificate, but then both sides are needed', async () => {
    const certificate = { identificationFront: 'application/pdf', identificationSelfie: 'image/png' };
    const requestId = await askedFor(['identificationFront', 'identificationBack'], certificate);
    const corrections = { isIdentityCertificate: false };
    await expect(
      correct(requestId, { corrections, files: { identificationFront: 'image/png' } }),
    ).rejects.toMatchObject(refused(400, ['FIELD_REQUIRED identificationBack']));
    await correct(requestId, {
      corrections,
      files: { identificationFront: 'image/png', identificationBack: 'image/png' },
    });
    expect((await attachmentsOf(requestId)).map(({ field }) => field)).toEqual(
      expect.arrayContaining(['identificationFront', 'identificationBack', 'identificationSelfie']),
    );
  });
});
