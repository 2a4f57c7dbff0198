import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import {
  companyAttachments,
  type FilesGiven,
  identity,
  makeRegular,
  representative,
} from './support/regular.ts';
import { asPartner, runningIntake } from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake());

function sandbox() {
  return intake.client(asPartner('sandbox')).requests;
}

function register(...args: Parameters<typeof makeRegular>) {
  return sandbox().register.mutate(makeRegular(...args));
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

interface Refusal {
  readonly code: string;
  readonly http: number;
  /** `code field`, in the order they are told. */
  readonly faults: readonly string[];
}
async function refusal(...args: Parameters<typeof makeRegular>): Promise<Refusal> {
  const error = await register(...args).then(
    () => Promise.reject(new Error('it was taken')),
    (one) => one,
  );
  const { appCode, httpStatus, details = [] } = error.data ?? {};
  return {
    code: appCode,
    http: httpStatus,
    faults: details.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`),
  };
}

function without(files: FilesGiven, ...names: string[]): FilesGiven {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
}

describe('a regular request', () => {
  it('is taken with its attachments, approved, and waits for its applicant under the names of the registry', async () => {
    const answer = await register({ province: 'pichíncha', city: 'QUITO' });
    expect(answer).toMatchObject({ status: 'REGISTERED', validationStatus: 'PENDING', errors: [] });
    const record = await until(answer.requestId, 'APPROVED');
    expect(record).toMatchObject({ certificateType: 'TRADITIONAL_SIGNATURE', correctableFields: [] });
    const [row] = await intake.query<{ details: object; password_origin: string }>(
      'select details, password_origin from intake.request where id = $1',
      [answer.requestId],
    );
    expect(row).toMatchObject({
      password_origin: 'HOLDER',
      details: {
        email: 'jane@mail.com',
        applicantName: 'MARÍA JOSÉ',
        applicantLastName: 'ÑÚÑEZ',
        applicantSecondLastName: 'PAZMIÑO',
      },
    });
    const attachments = await intake.query<{ field: string }>(
      'select field from intake.evidence where request_id = $1 order by position',
      [answer.requestId],
    );
    expect(attachments.map(({ field }) => field)).toEqual(Object.keys(identity));
    const mails = await intake.query('select recipient from intake.message where request_id = $1', [
      answer.requestId,
    ]);
    expect(mails).toEqual([{ recipient: 'jane@mail.com' }]);
  });

  it('is answered again when the same id comes again, and stored once', async () => {
    const input = makeRegular();
    const first = await sandbox().register.mutate(input);
    expect(await sandbox().register.mutate(input)).toEqual(first);
  });

  it('tells nobody anything where no callbackUrl was given', async () => {
    const { requestId } = await register({ identificationNumber: '2450000605', callbackUrl: undefined });
    expect(await until(requestId, 'ERROR')).toMatchObject({
      observation: { code: 'IDENTIFICATION_NOT_FOUND' },
    });
    expect(
      await intake.query('select 1 from intake.webhook_event where request_id = $1', [requestId]),
    ).toEqual([]);
  });

  it('is told to its partner by the identifier of its family', async () => {
    const { requestId } = await register({ identificationNumber: '2450000605' });
    await until(requestId, 'ERROR');
    const [event] = await intake.query<{ id: string }>(
      'select id from intake.webhook_event where request_id = $1',
      [requestId],
    );
    const notifier = await intake.peer('notifier');
    expect(await notifier.events.get.query({ eventId: event?.id ?? '' })).toMatchObject({
      type: 'request.error',
      identifierName: 'requestId',
      requestId,
      omitPassword: true,
    });
  });
});

describe('the company of a regular request', () => {
  it('is taken whole for a legal representative', async () => {
    const { requestId } = await register(representative(), { files: { ...identity, ...companyAttachments } });
    await until(requestId, 'APPROVED');
  });

  it.each(['positionCompany', 'companyRuc', 'companySocialReason', 'appointmentExpirationDate'])(
    'without %s is 412 for a legal representative',
    async (name) => {
      const fields = { ...representative(), [name]: undefined };
      expect(await refusal(fields, { files: { ...identity, ...companyAttachments } })).toEqual({
        code: 'COMPANY_DOCUMENT_REQUIRED',
        http: 412,
        faults: [`COMPANY_DOCUMENT_REQUIRED ${name}`],
      });
    },
  );

  it.each([
    ['pdfCompanyRuc', 'COMPANY_RUC_DOCUMENT_REQUIRED'],
    ['pdfRepresentativeAppointment', 'COMPANY_DOCUMENT_REQUIRED'],
    ['pdfCompanyConstitution', 'COMPANY_DOCUMENT_REQUIRED'],
  ])('without %s is 412 for a legal representative', async (name, code) => {
    const files = without({ ...identity, ...companyAttachments }, name);
    expect(await refusal(representative(), { files })).toEqual({
      code,
      http: 412,
      faults: [`${code} ${name}`],
    });
  });

  it('of a natural person needs its tax registration with its number, and the number with the registration', async () => {
    const { companyRuc } = representative();
    expect(await refusal({ companyRuc })).toMatchObject({
      http: 412,
      faults: ['COMPANY_RUC_DOCUMENT_REQUIRED pdfCompanyRuc'],
    });
    const files = { ...identity, pdfCompanyRuc: 'application/pdf' };
    expect(await refusal({}, { files })).toMatchObject({
      http: 412,
      faults: ['COMPANY_DOCUMENT_REQUIRED companyRuc'],
    });
    const { requestId } = await register({ companyRuc }, { files });
    await until(requestId, 'APPROVED');
  });
});

describe('the identity images of a regular request', () => {
  it.each(Object.keys(identity))('must hold %s', async (name) => {
    expect(await refusal({}, { files: without(identity, name) })).toEqual({
      code: 'FIELD_REQUIRED',
      http: 400,
      faults: [`FIELD_REQUIRED ${name}`],
    });
  });

  it('may lack the back with an identity certificate, whose flag must be true', async () => {
    const files = { ...without(identity, 'identificationBack'), identificationFront: 'application/pdf' };
    for (const isIdentityCertificate of [undefined, false])
      expect(await refusal({ isIdentityCertificate }, { files: { ...identity, ...files } })).toEqual({
        code: 'IDENTITY_CERTIFICATE_FLAG_REQUIRED',
        http: 412,
        faults: ['IDENTITY_CERTIFICATE_FLAG_REQUIRED isIdentityCertificate'],
      });
    const { requestId } = await register({ isIdentityCertificate: true }, { files });
    await until(requestId, 'APPROVED');
  });
});

describe('the order of refusals', () => {
  const { companyRuc } = representative();

  it('is 400 with all faults where those of 400 and 412 meet', async () => {
    expect(await refusal({ companyRuc, fingerCode: 'NO', city: 'Guayaquil' })).toEqual({
      code: 'FIELD_INVALID',
      http: 400,
      faults: [
        'FIELD_INVALID fingerCode',
        'FIELD_INVALID city',
        'COMPANY_RUC_DOCUMENT_REQUIRED pdfCompanyRuc',
      ],
    });
  });

  it('is 409 before 412, and 400 before 409', async () => {
    const { fields } = makeRegular();
    const { referenceTransaction } = fields;
    await register({ referenceTransaction });
    expect(await refusal({ referenceTransaction, companyRuc })).toMatchObject({
      code: 'DUPLICATED_REFERENCE_TRANSACTION',
      http: 409,
    });
    // Born 1950, and no video: the registry was not asked.
    expect(await refusal({ referenceTransaction, identificationNumber: '2450000100' })).toMatchObject({
      http: 409,
    });
    expect(await refusal({ referenceTransaction, fingerCode: 'NO' })).toMatchObject({ http: 400 });
  });

  it('lists the missing video together with missing attachments', async () => {
    expect(await refusal({ identificationNumber: '2450000100', companyRuc })).toEqual({
      code: 'COMPANY_RUC_DOCUMENT_REQUIRED',
      http: 412,
      faults: [
        'COMPANY_RUC_DOCUMENT_REQUIRED pdfCompanyRuc',
        'AUTHORIZATION_VIDEO_REQUIRED authorizationVideo',
      ],
    });
  });
});

describe('an applicant of the sandbox', () => {
  it.each(['2450000100', '2450000209'])(
    '%s, aged 65 or more, needs a video',
    async (identificationNumber) => {
      expect(await refusal({ identificationNumber })).toEqual({
        code: 'AUTHORIZATION_VIDEO_REQUIRED',
        http: 412,
        faults: ['AUTHORIZATION_VIDEO_REQUIRED authorizationVideo'],
      });
      const files = { ...identity, authorizationVideo: 'video/mp4' };
      const { requestId } = await register({ identificationNumber }, { files });
      await until(requestId, 'APPROVED');
    },
  );

  it('2450000308, aged 65 from tomorrow, needs none today', async () => {
    const { requestId } = await register({ identificationNumber: '2450000308' });
    await until(requestId, 'APPROVED');
  });

  it('2450000902, of whom the registry does not answer, is taken and ends in an error that may be tried again', async () => {
    const { requestId } = await register({ identificationNumber: '2450000902' });
    expect(await until(requestId, 'ERROR')).toMatchObject({
      validationStatus: 'ERROR',
      observation: { code: 'EXTERNAL_SERVICE_UNAVAILABLE' },
      correctableFields: [],
    });
  });

  it('2450001801, of whom it answers after 5 s, is taken without its word and validated with it', async () => {
    const { requestId } = await register({ identificationNumber: '2450001801' });
    await until(requestId, 'APPROVED');
  });
});
