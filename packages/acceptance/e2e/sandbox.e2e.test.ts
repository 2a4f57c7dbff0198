import { makeCompanyFields } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { closeAfterAll, joinScene } from './support/scene.ts';

const companyFields = makeCompanyFields();

const scene = await closeAfterAll(joinScene());
const sandbox = scene.partners.sandbox;

describe('a cédula of the sandbox', () => {
  it.each([
    ['of an applicant born in 1950', '2450000100'],
    ['of an applicant who turns 65 today', '2450000209'],
    ['of an applicant who turns 65 tomorrow', '2450000308'],
    ['whose look-ups take 5 s', '2450001801'],
  ])('%s leads to a certificate', async (_who, identificationNumber) => {
    const { reference } = await sandbox.accepted({ identificationNumber });
    await sandbox.reaches(reference, 'GENERATED');
  });

  it.each([
    ['under age', '2450000407', 'APPLICANT_UNDERAGE'],
    ['deceased', '2450000506', 'APPLICANT_DECEASED'],
  ])(
    'of an applicant %s ends in REFUSED, and the event names that and no retry limit',
    async (_who, cedula, code) => {
      const { reference, requestId } = await sandbox.accepted({ identificationNumber: cedula });
      const view = await sandbox.reaches(reference, 'REFUSED');
      expect(view).toMatchObject({ validationStatus: 'REFUSED', observation: { code, type: 'ALERT' } });
      const { body } = await sandbox.hears(reference, 'request.refused');
      expect(body).toMatchObject({ linkedPartnerRequestId: requestId, status: 'REFUSED' });
      expect(body.message).toContain(view.observation?.message);
      expect(body.message).not.toMatch(/limit|retr/i);
    },
  );

  it.each([
    ['is not in the registry', '2450000605', {}, 'IDENTIFICATION_NOT_FOUND'],
    ['has another finger code', '2450000704', { fingerCode: 'E1234I5678' }, 'FINGER_CODE_MISMATCH'],
    ['has other names', '2450000803', {}, 'NAME_MISMATCH'],
    ['cannot be looked up', '2450000902', {}, 'EXTERNAL_SERVICE_UNAVAILABLE'],
  ])('that %s ends in ERROR with its code and an error event', async (_what, cedula, fields, code) => {
    const { reference, requestId } = await sandbox.accepted({ identificationNumber: cedula, ...fields });
    const view = await sandbox.reaches(reference, 'ERROR');
    expect(view).toMatchObject({ validationStatus: 'ERROR', observation: { code }, retryCount: 0 });
    const { body } = await sandbox.hears(reference, 'request.error');
    expect(body).toEqual({
      linkedPartnerRequestId: requestId,
      referenceTransaction: reference,
      message: expect.stringContaining(view.observation?.message ?? ''),
    });
  });

  it('with another finger code is recovered by a retry with the right one', async () => {
    const { reference } = await sandbox.accepted({
      identificationNumber: '2450000704',
      fingerCode: 'E1234I5678',
    });
    expect((await sandbox.reaches(reference, 'ERROR')).correctableFields).toContain('fingerCode');
    const retried = await sandbox.retry({ referenceTransaction: reference, fingerCode: 'V4333V2222' });
    expect(retried.body).toMatchObject({ status: 'REGISTERED', retryCount: 1 });
    await sandbox.reaches(reference, 'GENERATED');
  });

  it('whose registry is down at the first look-up is recovered by a retry, and the service does not retry by itself', async () => {
    const { reference } = await sandbox.accepted({ identificationNumber: '2450001009' });
    await sandbox.reaches(reference, 'ERROR');
    expect((await sandbox.retry({ referenceTransaction: reference })).body).toMatchObject({
      status: 'VALIDATING',
    });
    await sandbox.reaches(reference, 'GENERATED');
  });

  it('that needs a manual review waits for a reviewer', async () => {
    const { reference } = await sandbox.accepted({ identificationNumber: '2450001504' });
    await expect
      .poll(async () => (await sandbox.view(reference)).validationStatus)
      .toBe('MANUALLY_VALIDATING');
    expect((await sandbox.view(reference)).status).toBe('VALIDATING');
  });
});

describe('a RUC of the sandbox', () => {
  it.each([
    ['that is inactive', '2490000103001', 'RUC_INACTIVE'],
    ['with another representative', '2490000200001', 'REPRESENTATIVE_NOT_CONFIRMED'],
  ])('%s ends in ERROR', async (_what, companyRuc, code) => {
    const { reference } = await sandbox.accepted({ ...companyFields, companyRuc });
    expect(await sandbox.reaches(reference, 'ERROR')).toMatchObject({ observation: { code } });
  });
});
