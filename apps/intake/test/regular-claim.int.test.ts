import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { claimGround } from './support/claims.ts';
import {
  companyAttachments,
  identity,
  makeCorrection,
  makeRegular,
  representative,
} from './support/regular.ts';
import { asPartner } from './support/running-intake.ts';

const ground = await disposeAfterAll(claimGround());

function requests() {
  return ground.intake.client(asPartner('sandbox')).requests;
}

function statusOf(requestId: string) {
  return requests().status.query({ family: 'FR', requestId });
}

function until(requestId: string, status: string) {
  return pollFor(async () => {
    const record = await statusOf(requestId);
    return record.status === status && record;
  });
}

async function reached(status: string, ...args: Parameters<typeof makeRegular>): Promise<string> {
  const { requestId } = await requests().register.mutate(makeRegular(...args));
  await until(requestId, status);
  return requestId;
}
async function claimed(requestId: string) {
  const token = await ground.secretOf(requestId, 'claim');
  const sealedToken = await ground.sealToken(token);
  const view = await ground.claims.view.query({ sealedToken });
  await ground.claim({ token, sealedToken }, await ground.sendCode({ requestId, sealedToken }));
  return view;
}
const wrongCode = { identificationNumber: '2450000704', fingerCode: 'A1234B5678' };

describe('the applicant of a regular request', () => {
  it('claims under the names of the registry, and generation is ordered what the body says of the company', async () => {
    const company = representative();
    const requestId = await reached('APPROVED', company, { files: { ...identity, ...companyAttachments } });
    expect(await claimed(requestId)).toMatchObject({
      applicantName: 'MARÍA JOSÉ ÑÚÑEZ PAZMIÑO',
      companySocialReason: company.companySocialReason,
    });
    const generation = await ground.intake.peer('generation');
    expect(await generation.issuance.order.query({ requestId, attempt: 1 })).toMatchObject({
      applicationType: 'LEGAL_REPRESENTATIVE',
      certificateType: 'TRADITIONAL_SIGNATURE',
      subject: {
        givenName: 'MARÍA JOSÉ',
        firstSurname: 'ÑÚÑEZ',
        secondSurname: 'PAZMIÑO',
        email: 'jane@mail.com',
        city: 'Quito',
        countryCode: 'EC',
        companyRuc: company.companyRuc,
        companySocialReason: company.companySocialReason,
        positionCompany: company.positionCompany,
      },
      // To the end of the day in Guayaquil.
      appointmentExpiresAt: '2046-01-01T04:59:59.999Z',
      passwordOrigin: 'HOLDER',
    });
  });

  it('keeps the password of the claim when a failed generation is run again by the identifier alone', async () => {
    const requestId = await reached('APPROVED');
    await claimed(requestId);
    await ground.intake.tell('events.certificate.failed', {
      requestId,
      attempt: 1,
      code: 'KEY_GENERATION_FAILED',
    });
    expect(await until(requestId, 'ERROR')).toMatchObject({
      validationStatus: 'COMPLETED',
      correctableFields: [],
    });
    expect(await requests().correct.mutate(makeCorrection(requestId))).toMatchObject({
      status: 'GENERATING',
      validationStatus: 'COMPLETED',
    });
    const generation = await ground.intake.peer('generation');
    expect(await generation.issuance.order.query({ requestId, attempt: 2 })).toMatchObject({
      sealedPassword: 'sealed.to.generation',
    });
    await ground.issue(requestId, 2);
    await until(requestId, 'GENERATED');
  });
});

it('an appointment that ends before the period is a warning in the words of the body', async () => {
  const appointmentExpirationDate = new Date(ground.clock().getTime() + 100 * DAY_MS)
    .toISOString()
    .slice(0, 10);
  const requestId = await reached(
    'APPROVED',
    { ...representative(), appointmentExpirationDate },
    { files: { ...identity, ...companyAttachments } },
  );
  expect((await statusOf(requestId)).observations).toMatchObject([
    {
      type: 'WARNING',
      code: 'VALIDITY_CAPPED',
      message: expect.stringContaining(`appointmentExpirationDate "${appointmentExpirationDate}"`),
    },
  ]);
});

it('a regular request expires after 50 days of error or of waiting for its applicant, and then takes no correction', async () => {
  const failed = await reached('ERROR', wrongCode);
  const waiting = await reached('APPROVED');
  ground.pass(49 * DAY_MS);
  await ground.sweep();
  expect([await statusOf(failed), await statusOf(waiting)]).toMatchObject([
    { status: 'ERROR' },
    { status: 'APPROVED' },
  ]);
  ground.pass(2 * DAY_MS);
  await ground.sweep();
  expect([await statusOf(failed), await statusOf(waiting)]).toMatchObject([
    { status: 'EXPIRED', validationStatus: 'ERROR' },
    { status: 'EXPIRED', validationStatus: 'COMPLETED' },
  ]);
  const late = makeCorrection(failed, { corrections: { fingerCode: 'V4333V2222' } });
  await expect(requests().correct.mutate(late)).rejects.toMatchObject({ data: { httpStatus: 409 } });
});

it('a correction gives the 50 days anew', async () => {
  const requestId = await reached('ERROR', wrongCode);
  ground.pass(49 * DAY_MS);
  await requests().correct.mutate(makeCorrection(requestId, { corrections: { fingerCode: 'B1234B5678' } }));
  await until(requestId, 'ERROR');
  ground.pass(49 * DAY_MS);
  await ground.sweep();
  expect(await statusOf(requestId)).toMatchObject({ status: 'ERROR' });
});
