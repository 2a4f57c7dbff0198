import { makePng } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { until } from './support/poll.ts';
import { listErrorCodes } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const { sandbox } = scene.partners;

const password = 'Segura2026firma';
const fresh = () => `RN-${crypto.randomUUID()}`;

async function call(path: string, body: object, partner = sandbox, query: Record<string, string> = {}) {
  const { token } = partner;
  return scene.call({ path, token, body, query });
}
const renew = (body: object, partner = sandbox, query: Record<string, string> = {}) =>
  call('/manager/certificate/renew', body, partner, query);

async function advance(referenceTransaction: string, days: number) {
  const answer = await call('/sandbox/advance', { referenceTransaction, days });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** A certificate of one year, days after which its renewal opens. */
async function issued(more: object = {}) {
  const { reference } = await sandbox.accepted({ period: 'ONE_YEAR', ...more });
  const { serialNumber } = await sandbox.reaches(reference, 'GENERATED');
  return { reference, serialNumber: serialNumber ?? '' };
}

/** A certificate whose renewal is open. */
async function renewable(more: object = {}) {
  const one = await issued(more);
  await advance(one.reference, 320);
  return one;
}

describe('the renewal of a certificate (POST /manager/certificate/renew)', () => {
  it('registers a request of the same family with the data of the former, and both tell of each other', async () => {
    const evidences = [{ evidenceFile: makePng().toString('base64') }];
    const former = await renewable({ evidences, address: 'Calle Anterior 12' });
    const newReferenceTransaction = fresh();
    const before = await sandbox.view(former.reference);
    const answer = await renew({ referenceTransaction: former.reference, newReferenceTransaction, password });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        linkedPartnerRequestId: expect.any(String),
        referenceTransaction: newReferenceTransaction,
        status: 'REGISTERED',
        validationStatus: 'PENDING',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        errors: [],
        renewalOf: { referenceTransaction: former.reference, serialNumber: former.serialNumber },
      },
    ]);
    const renewed = await sandbox.reaches(newReferenceTransaction, 'GENERATED');
    expect(renewed).toMatchObject({
      period: before.period,
      certificateType: before.certificateType,
      renewalOf: { referenceTransaction: former.reference, serialNumber: former.serialNumber },
    });
    expect(renewed.serialNumber).not.toBe(former.serialNumber);
    const after = await sandbox.view(former.reference);
    expect(after).toMatchObject({
      certificateStatus: 'VALID',
      renewedBy: { referenceTransaction: newReferenceTransaction, serialNumber: renewed.serialNumber },
    });
    expect(Object.keys(before)).not.toContain('renewedBy');
  });

  it('revokes the former once the new one is issued, where it is to be superseded', async () => {
    const former = await renewable();
    const newReferenceTransaction = fresh();
    const { serialNumber } = former;
    const answer = await renew({ serialNumber, newReferenceTransaction, password, supersede: true });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await sandbox.reaches(newReferenceTransaction, 'GENERATED');
    const status = async () => (await sandbox.view(former.reference)).certificateStatus;
    await until('the revocation', async () => ((await status()) === 'REVOKED' ? true : undefined));
    const { certificateStatus } = await sandbox.view(newReferenceTransaction);
    expect(certificateStatus).toBe('VALID');
  });

  it('answers faults in their order: form, whose it is, its state and window, the reference, the family', async () => {
    const { reference, serialNumber } = await issued();
    const newReferenceTransaction = fresh();
    const body = { referenceTransaction: reference, newReferenceTransaction };
    const faults = async (given: object, partner = sandbox) => {
      const answer = await renew(given, partner);
      return [answer.status, listErrorCodes(answer)];
    };
    expect(await faults({})).toEqual([400, ['FIELD_REQUIRED', 'FIELD_REQUIRED']]);
    expect(await faults({ ...body, referenceTransaction: fresh(), period: 'NEVER' })).toEqual([
      400,
      ['INVALID_PERIOD'],
    ]);
    expect(await faults({ ...body, referenceTransaction: fresh() })).toEqual([404, ['REQUEST_NOT_FOUND']]);
    expect(await faults(body, scene.partners.otp)).toEqual([404, ['REQUEST_NOT_FOUND']]);
    const early = await renew({ ...body, newReferenceTransaction: reference });
    expect([early.status, listErrorCodes(early)]).toEqual([409, ['RENEWAL_NOT_OPEN']]);
    const { notAfter } = await sandbox.view(reference);
    const opens = new Date(Date.parse(`${notAfter}Z`) - 60 * 86_400_000).toISOString().slice(0, 10);
    expect((early.body as { message: string }).message).toContain(opens);
    await advance(reference, 306);
    expect(await faults({ ...body, newReferenceTransaction: reference })).toEqual([
      409,
      ['DUPLICATED_REFERENCE_TRANSACTION'],
    ]);
    expect(await faults(body)).toEqual([400, ['PASSWORD_REQUIRED']]);
    const revocation = { serialNumber, reason: 'cessationOfOperation' };
    expect((await call('/manager/certificate/revoke', revocation)).status).toBe(200);
    expect(await faults({ ...body, password })).toEqual([409, ['REQUEST_STATE_NOT_ALLOWED']]);
  });

  it('closes 60 days after the end, and names the day', async () => {
    const { reference } = await issued();
    await advance(reference, 365 + 61);
    const { notAfter } = await sandbox.view(reference);
    const closed = new Date(Date.parse(`${notAfter}Z`) + 60 * 86_400_000).toISOString().slice(0, 10);
    const body = { referenceTransaction: reference, newReferenceTransaction: fresh(), password };
    const answer = await renew(body);
    expect([answer.status, listErrorCodes(answer)]).toEqual([409, ['RENEWAL_NOT_OPEN']]);
    expect((answer.body as { message: string }).message).toContain(closed);
  });

  it('lets one of two win, and makes room once it is cancelled', async () => {
    const { reference } = await renewable();
    const body = (newReferenceTransaction: string) => ({
      referenceTransaction: reference,
      newReferenceTransaction,
      password,
      // It is registered in error, and can be cancelled.
      evidences: [{ evidenceFile: '@@' }],
    });
    const references = [fresh(), fresh()] as const;
    const answers = await Promise.all(references.map((one) => renew(body(one))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [won = ''] = references.filter((_, index) => answers[index]?.status === 200);
    expect((await sandbox.view(reference)).renewedBy).toEqual({
      referenceTransaction: won,
      serialNumber: null,
    });
    await sandbox.reaches(won, 'ERROR');
    const cancel = { referenceTransaction: won };
    expect((await call('/manager/linked-partner/cancel-request', cancel)).status).toBe(200);
    expect(Object.keys(await sandbox.view(reference))).not.toContain('renewedBy');
    expect((await renew(body(fresh()))).status).toBe(200);
  });

  it('only asks with ?dryRun=true', async () => {
    const { reference } = await renewable();
    const newReferenceTransaction = fresh();
    const body = { referenceTransaction: reference, newReferenceTransaction };
    const lacking = await renew(body, sandbox, { dryRun: 'true' });
    expect([lacking.status, listErrorCodes(lacking)]).toEqual([400, ['PASSWORD_REQUIRED']]);
    const answer = await renew({ ...body, password }, sandbox, { dryRun: 'true' });
    expect([answer.status, answer.body]).toEqual([200, { valid: true, warnings: [] }]);
    expect(Object.keys(await sandbox.view(reference))).not.toContain('renewedBy');
    expect((await renew({ ...body, password })).status).toBe(200);
  });
});
