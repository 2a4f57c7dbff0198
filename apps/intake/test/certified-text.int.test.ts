import { disposeAfterAll, makeCedula, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake());

function sandbox() {
  return intake.client(asPartner('sandbox')).requests;
}

async function register(fields: Record<string, string | undefined> = {}) {
  return (await sandbox().register.mutate(makeRegistration(fields))).requestId;
}

function until(requestId: string, status: string) {
  return pollFor(async () => {
    const record = await sandbox().status.query({ family: 'TV', requestId });
    return record.status === status && record;
  });
}

async function orderOf(requestId: string) {
  return (await intake.peer('generation')).issuance.order.query({ requestId, attempt: 1 });
}

function retry(requestId: string, corrections: Record<string, string>) {
  return sandbox().retry.mutate({ family: 'TV', requestId, corrections, faults: [] });
}

const refused = (field: string, character: string) => ({
  data: {
    appCode: 'FIELD_INVALID',
    details: [expect.objectContaining({ field, message: expect.stringContaining(character) })],
  },
});

describe('a second surname of signs alone', () => {
  it('is none, in a registration', async () => {
    const requestId = await register({ applicantSecondLastName: '-' });
    await until(requestId, 'GENERATING');
    expect((await orderOf(requestId)).subject).toMatchObject({
      firstSurname: 'Ñúñez',
      secondSurname: null,
    });
  });

  it('is none, in a retry: it changes nothing and voids nothing', async () => {
    const requestId = await register({ identificationNumber: '2450001009' });
    await until(requestId, 'ERROR');
    expect(await retry(requestId, { applicantSecondLastName: '( )' })).toMatchObject({
      status: 'VALIDATING',
    });
    await until(requestId, 'GENERATING');
    expect((await orderOf(requestId)).subject).toMatchObject({ secondSurname: 'Pazmiño' });
  });
});

describe('the tax number of a natural person', () => {
  it.each([
    ['their own', (cedula: string) => `${cedula}001`, true],
    ['another’s', () => '1793213150001', false],
  ])('is certified where it is %s: %#', async (_, rucOf, isCertified) => {
    const identificationNumber = makeCedula();
    const companyRuc = rucOf(identificationNumber);
    const requestId = await register({ identificationNumber, companyRuc });
    await until(requestId, 'GENERATING');
    expect((await orderOf(requestId)).subject.companyRuc).toBe(isCertified ? companyRuc : null);
  });
});

describe('a name, position or company without a letter or a digit', () => {
  const company = {
    applicationType: 'LEGAL_REPRESENTATIVE',
    companyRuc: '1793213150001',
    companySocialReason: 'ACME',
    positionCompany: 'Gerente',
    expirationDateAppointment: '2040-01-01',
  };

  it.each([
    ['applicantName', '-'],
    ['applicantLastName', '\u200b'],
    ['positionCompany', '🙂'],
    ['companySocialReason', '( )'],
  ])('is refused as %s by registration and dry run alike', async (field, text) => {
    const { evidence: _evidence, ...input } = makeRegistration({ ...company, [field]: text });
    const told = refused(field, 'must hold a letter or a digit');
    await expect(sandbox().register.mutate(input)).rejects.toMatchObject(told);
    await expect(sandbox().dryRun.query(input)).rejects.toMatchObject(told);
  });

  it('is refused by a retry, which is not counted', async () => {
    const requestId = await register({ identificationNumber: '2450001009' });
    await until(requestId, 'ERROR');
    await expect(retry(requestId, { applicantName: '.' })).rejects.toMatchObject(
      refused('applicantName', 'must hold a letter or a digit'),
    );
    expect(await sandbox().status.query({ family: 'TV', requestId })).toMatchObject({ retryCount: 0 });
  });

  it.each([
    ['applicantLastName', ['applicantLastName']],
    ['positionCompany', []],
  ])('that an earlier release took is named once its certificate fails: %s', async (field, correctable) => {
    const requestId = await register();
    await until(requestId, 'GENERATING');
    await intake.query(
      `update intake.request set details = details || jsonb_build_object($2::text, '-') where id = $1`,
      [requestId, field],
    );
    await intake.tell('events.certificate.failed', {
      requestId,
      attempt: 1,
      code: 'CERTIFICATE_LINT_FAILED',
    });
    expect(await until(requestId, 'ERROR')).toMatchObject({
      observation: {
        code: 'CERTIFICATE_LINT_FAILED',
        message: `The certificate did not pass its checks and was not signed. ${field} must hold a letter or a digit`,
      },
      correctableFields: correctable,
    });
  });
});

describe('a lost letter', () => {
  it.each(['applicantSecondLastName', 'city', 'address'])('is refused in %s, and named', async (field) => {
    const text = 'Mu\ufffdoz';
    await expect(sandbox().register.mutate(makeRegistration({ [field]: text }))).rejects.toMatchObject(
      refused(field, 'contains U+FFFD: a letter was lost before it reached us'),
    );
  });

  it('is refused alone in a second surname, in a retry too', async () => {
    const applicantSecondLastName = '\ue000';
    const told = refused('applicantSecondLastName', 'U+E000');
    await expect(
      sandbox().register.mutate(makeRegistration({ applicantSecondLastName })),
    ).rejects.toMatchObject(told);
    const requestId = await register({ identificationNumber: '2450001009' });
    await until(requestId, 'ERROR');
    await expect(retry(requestId, { applicantSecondLastName })).rejects.toMatchObject(told);
  });
});

it('text that looks like a decoding error is taken, with a warning in dry run and record', async () => {
  const input = makeRegistration({ applicantLastName: 'MuÃ±oz' });
  const warning = { code: 'TEXT_DECODING', message: expect.stringContaining('"Ã±"') };
  const { evidence: _evidence, ...dry } = input;
  expect(await sandbox().dryRun.query(dry)).toMatchObject({
    warnings: [{ ...warning, field: 'applicantLastName' }],
  });
  const { requestId } = await sandbox().register.mutate(input);
  expect(await sandbox().status.query({ family: 'TV', requestId })).toMatchObject({
    observations: [{ type: 'WARNING', ...warning }],
  });
});
