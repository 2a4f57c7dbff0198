import { linkedPartnerResultSchema } from '@rubrica/contracts/rest/linked-partner';
import { DAY_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { makeCompanyFields, makePng, makeReference } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { openPkcs12 } from './support/pkcs12.ts';
import { listErrorCodes, parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const sandbox = scene.partners.sandbox;

const companyFields = makeCompanyFields();
const picture = makePng().toString('base64');
const timestamp = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const sizedPng = (bytes: number) => makePng(bytes).toString('base64');

describe('a registration', () => {
  it('is taken with REGISTERED and PENDING, in exactly the fields of the interface', async () => {
    const referenceTransaction = makeReference();
    const answer = await sandbox.register({ referenceTransaction });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.body).toEqual({
      linkedPartnerRequestId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      referenceTransaction,
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      createdAt: expect.stringMatching(timestamp),
      errors: [],
    });
  });

  it('tells its time in the zone of the service', async () => {
    const { createdAt } = linkedPartnerResultSchema.parse((await sandbox.register()).body);
    // Guayaquil is five hours behind UTC all year; ten minutes allow for any slowness but not for another zone.
    const offMs = Math.abs(Date.now() - Date.parse(`${createdAt.replace(' ', 'T')}-05:00`));
    expect(offMs).toBeLessThan(10 * MINUTE_MS);
  });

  it('ends in a certificate that opens with the partner’s password, handed over by a signed webhook', async () => {
    const password = 'Clave "larga" ~9';
    const { reference } = await sandbox.accepted({ password });
    const view = await sandbox.reaches(reference, 'GENERATED');
    const { body } = await sandbox.hears(reference, 'certificate.issued');
    expect(Object.keys(body).sort()).toEqual(['file', 'password', 'referenceTransaction', 'serialNumber']);
    expect(body.password).toBe(password);
    const { leaf, chainLength, privateKey } = await openPkcs12(scene.folder, String(body.file), password);
    expect(leaf.serialNumber).toBe(body.serialNumber);
    expect(view).toMatchObject({
      validationStatus: 'COMPLETED',
      serialNumber: body.serialNumber,
      certificateStatus: 'VALID',
      retryCount: 0,
      retriesRemaining: 2,
      observation: null,
    });
    expect(chainLength).toBeGreaterThanOrEqual(2);
    expect(privateKey).toContain('PRIVATE KEY');
  });

  it('of a legal representative carries the company into the certificate', async () => {
    const { reference } = await sandbox.accepted({ ...companyFields, password: 'Una-clave-9' });
    const { body } = await sandbox.hears(reference, 'certificate.issued');
    const { leaf } = await openPkcs12(scene.folder, String(body.file), 'Una-clave-9');
    expect(leaf.subject).toContain(companyFields.companySocialReason);
    expect(leaf.subject).toContain(companyFields.companyRuc);
  });

  it('of a transactional signature needs neither period nor password: a week, and a password of 20 characters', async () => {
    const { reference } = await sandbox.accepted({
      certificateType: 'TRANSACTIONAL_SIGNATURE',
      period: undefined,
      password: undefined,
    });
    const { body } = await sandbox.hears(reference, 'certificate.issued');
    expect(body.password).toMatch(/^\S{20}$/);
    const { leaf } = await openPkcs12(scene.folder, String(body.file), String(body.password));
    const days = (leaf.validToDate.getTime() - leaf.validFromDate.getTime()) / DAY_MS;
    expect(Math.round(days)).toBe(7);
  });

  it('takes an evidence as an array of signed bytes, and an evidence that is only a link', async () => {
    const bytes = [...new Int8Array(Buffer.from(picture, 'base64'))];
    const { reference } = await sandbox.accepted({
      evidences: [
        { evidenceFile: bytes, evidenceType: 'SELFIE' },
        { validatorUrl: 'https://example.com/v/1' },
      ],
    });
    await sandbox.reaches(reference, 'GENERATED');
  });

  it('ignores fields it does not know', async () => {
    await sandbox.accepted({ pdfAppointmentAcceptance: [1, 2, 3], anything: { deep: true } });
  });
});

describe('a registration accepted with errors', () => {
  it('says so, sends the error event, and is recovered by a retry with evidence', async () => {
    const referenceTransaction = makeReference();
    const answer = await sandbox.register({
      referenceTransaction,
      evidences: [{ evidenceFile: picture }, { evidenceFile: '%%% not base64 %%%' }],
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'ERROR',
      validationStatus: 'ERROR',
      message: expect.any(String),
    });
    expect(linkedPartnerResultSchema.parse(answer.body).errors).toEqual([
      expect.objectContaining({ code: 'EVIDENCE_INVALID', field: expect.stringContaining('evidences') }),
    ]);
    const event = await sandbox.hears(referenceTransaction, 'request.error');
    expect(Object.keys(event.body).sort()).toEqual([
      'linkedPartnerRequestId',
      'message',
      'referenceTransaction',
    ]);
    expect(listErrorCodes(await sandbox.register({ referenceTransaction }))).toEqual([
      'DUPLICATED_REFERENCE_TRANSACTION',
    ]);
    const retried = await sandbox.retry({ referenceTransaction, evidences: [{ evidenceFile: picture }] });
    expect(retried).toMatchObject({
      status: 200,
      body: { status: 'REGISTERED', retryCount: 1, retriesRemaining: 1 },
    });
    await sandbox.reaches(referenceTransaction, 'GENERATED');
  });

  it('is what a file of no allowed type leads to, too', async () => {
    const text = Buffer.from('plain text is no evidence').toString('base64');
    const answer = await sandbox.register({ evidences: [{ evidenceFile: text }] });
    expect(answer).toMatchObject({ status: 200, body: { status: 'ERROR', validationStatus: 'ERROR' } });
  });
});

describe('a refused registration', () => {
  it('with a used referenceTransaction is 409 with the error object, also while the first still runs', async () => {
    const { reference } = await sandbox.accepted();
    const answer = await sandbox.register({ referenceTransaction: reference });
    expect(answer.status).toBe(409);
    expect(parseErrorAnswer(answer)).toMatchObject({
      timestamp: expect.stringMatching(timestamp),
      status: 409,
      error: 'Conflict',
      message: expect.stringContaining(reference),
      path: '/collector/linked-partner/request',
      code: 'DUPLICATED_REFERENCE_TRANSACTION',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('sent many times at once is taken once', async () => {
    const referenceTransaction = makeReference();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sandbox.register({ referenceTransaction })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it('may carry the referenceTransaction of another partner', async () => {
    const { reference } = await sandbox.accepted();
    const { other } = scene.partners;
    expect((await other.register({ referenceTransaction: reference })).status).toBe(200);
  });

  it('names all faults of the body at once', async () => {
    const answer = await sandbox.register({
      identificationNumber: '1234567890',
      applicantName: '',
      fingerCode: 'short',
      email: 'no-address',
      cellphoneNumber: '0991234567',
      period: 'TEN_YEARS',
      documentType: 'PASSPORT',
      password: 'short',
      callbackUrl: 'ftp://example.com',
    });
    expect(answer.status).toBe(400);
    const { errors, messages } = parseErrorAnswer(answer);
    const codes = Object.fromEntries(errors.map(({ field, code }) => [field, code]));
    expect(codes).toMatchObject({
      identificationNumber: 'IDENTIFICATION_NUMBER_INVALID',
      applicantName: 'FIELD_REQUIRED',
      fingerCode: 'FIELD_INVALID',
      email: 'FIELD_INVALID',
      cellphoneNumber: 'FIELD_INVALID',
      period: 'INVALID_PERIOD',
      documentType: 'INVALID_DOCUMENT_TYPE',
      password: 'FIELD_INVALID',
    });
    expect(codes).toHaveProperty('callbackUrl');
    expect(messages).toHaveLength(errors.length);
  });

  it('that is empty names every required field', async () => {
    const answer = await scene.call({
      path: '/collector/linked-partner/request',
      token: sandbox.token,
      body: {},
    });
    expect(answer.status).toBe(400);
    const fields = parseErrorAnswer(answer).errors.map(({ field }) => field);
    for (const field of [
      'identificationNumber',
      'referenceTransaction',
      'certificateType',
      'evidences',
      'callbackUrl',
    ]) {
      expect(fields).toContain(field);
    }
  });

  it.each([
    ['without a password for a traditional signature', { password: undefined }, 'PASSWORD_REQUIRED'],
    ['without a period for a traditional signature', { period: undefined }, 'INVALID_PERIOD|FIELD_REQUIRED'],
    [
      'transactional for longer than a week',
      { certificateType: 'TRANSACTIONAL_SIGNATURE' },
      'INVALID_PERIOD',
    ],
    [
      'transactional for a legal representative',
      { ...companyFields, certificateType: 'TRANSACTIONAL_SIGNATURE', period: 'ONE_WEEK' },
      'INVALID_APPLICATION_TYPE',
    ],
    ['of a company without its data', { applicationType: 'LEGAL_REPRESENTATIVE' }, 'COMPANY_DATA_REQUIRED'],
    [
      'of an appointment that has ended',
      { ...companyFields, expirationDateAppointment: '2020-01-31' },
      'APPOINTMENT_EXPIRED',
    ],
    ['with a RUC that is none', { ...companyFields, companyRuc: '2470000030001' }, 'RUC_INVALID'],
    ['with an unknown certificate type', { certificateType: 'OTHER' }, 'INVALID_CERTIFICATE_TYPE'],
    ['with no evidence', { evidences: [] }, 'EVIDENCE_MISSING|FIELD_INVALID|FIELD_REQUIRED'],
    ['with an evidence that holds nothing', { evidences: [{}] }, 'EVIDENCE_MISSING|FIELD_REQUIRED'],
    ['with an evidence file that is a number', { evidences: [{ evidenceFile: 7 }] }, 'FIELD_INVALID'],
  ])('%s is 400', async (_what, overrides, codes) => {
    const answer = await sandbox.register(overrides);
    expect(answer.status).toBe(400);
    expect(listErrorCodes(answer).some((code) => codes.split('|').includes(code))).toBe(true);
  });

  it('with an image above 5 MB is 413', async () => {
    const answer = await sandbox.register({ evidences: [{ evidenceFile: sizedPng(5_300_000) }] });
    expect(answer.status).toBe(413);
    expect(listErrorCodes(answer)).toEqual(['FILE_TOO_LARGE']);
  });
});
