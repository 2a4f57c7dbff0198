import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { claimGround, fault } from './support/claims.ts';
import { callbackUrl, familyScene } from './support/family-scene.ts';
import { makeSimplified } from './support/plain-families.ts';

const ground = await disposeAfterAll(claimGround());

const scene = familyScene(() => ground, 'FS');
const { requests, reaches, register, view } = scene;
async function linkOf(requestId: string) {
  const token = await ground.secretOf(requestId, 'claim');
  return { requestId, token, sealedToken: await ground.sealToken(token) };
}

async function claimed(fields: Record<string, string> = {}): Promise<string> {
  const requestId = await register(makeSimplified(fields));
  await reaches(requestId, 'APPROVED');
  const link = await linkOf(requestId);
  await ground.claim(link, await ground.sendCode(link));
  return requestId;
}

describe('a simplified request', () => {
  it('takes its names from the registry, mails its applicant, and is claimed under a password of theirs', async () => {
    const requestId = await register(makeSimplified({ emailAddress: 'ana@correo.example', callbackUrl }));
    expect(await reaches(requestId, 'APPROVED')).toMatchObject({
      applicationType: 'NATURAL_PERSON',
      certificateType: 'TRADITIONAL_SIGNATURE',
      period: 'ONE_YEAR',
    });
    expect(await ground.messageOf(requestId, 'claim')).toMatchObject({ to: 'ana@correo.example' });
    const link = await linkOf(requestId);
    expect(await ground.claims.view.query({ sealedToken: link.sealedToken })).toMatchObject({
      state: 'OPEN',
      applicantName: 'MARÍA JOSÉ ÑÚÑEZ PAZMIÑO',
    });
    await ground.claim(link, await ground.sendCode(link));
    await reaches(requestId, 'GENERATING');
    expect(await scene.order(requestId)).toMatchObject({
      period: 'ONE_YEAR',
      passwordOrigin: 'HOLDER',
      isRetrieved: false,
      hasWebhook: true,
      subject: {
        givenName: 'MARÍA JOSÉ',
        firstSurname: 'ÑÚÑEZ',
        secondSurname: 'PAZMIÑO',
        email: 'ana@correo.example',
        city: '',
        companyRuc: null,
      },
    });
    await scene.issue(requestId);
    await reaches(requestId, 'GENERATED');
    expect(await scene.events(requestId)).toMatchObject([
      { type: 'certificate.issued', identifierName: 'simplifiedRequestId', omitPassword: true },
    ]);
  });

  it('is claimed even where a password comes from somewhere', async () => {
    const requestId = await register(makeSimplified({}, { sealedPassword: 'sealed.to.generation' }));
    await reaches(requestId, 'APPROVED');
  });

  it('has all faults of its few fields told at once', async () => {
    const input = makeSimplified({ identificationNumber: '2450000000', callbackUrl: 'ftp://nowhere' });
    const refused = await requests()
      .register.mutate(input)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject(fault('IDENTIFICATION_NUMBER_INVALID'));
    expect(JSON.stringify(refused)).toContain('CALLBACK_URL_NOT_ALLOWED');
  });

  it('is cancelled up to its claim, and its link dies', async () => {
    const requestId = await register(makeSimplified());
    await reaches(requestId, 'APPROVED');
    const link = await linkOf(requestId);
    const other = requests('other').cancel.mutate({ family: 'FS', requestId, faults: [] });
    await expect(other).rejects.toMatchObject(fault('REQUEST_NOT_FOUND'));
    expect(await requests().cancel.mutate({ family: 'FS', requestId, faults: [] })).toMatchObject({
      status: 'CANCELLED',
      validationStatus: 'COMPLETED',
    });
    expect(await ground.claims.view.query({ sealedToken: link.sealedToken })).toMatchObject({
      state: 'ENDED',
    });
    const again = requests().cancel.mutate({ family: 'FS', requestId, faults: [] });
    await expect(again).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });

  it.each([
    ['2450001504', 'VALIDATING', 'MANUALLY_VALIDATING'],
    ['2450000803', 'ERROR', 'ERROR'],
  ])('%s is cancelled in %s / %s too, and keeps what validation had found', async (cedula, status, found) => {
    const requestId = await register(makeSimplified({ identificationNumber: cedula, callbackUrl }));
    await expect.poll(async () => (await view(requestId)).validationStatus).toBe(found);
    expect(await view(requestId)).toMatchObject({ status });
    const before = await scene.events(requestId);
    expect(await requests().cancel.mutate({ family: 'FS', requestId, faults: [] })).toMatchObject({
      status: 'CANCELLED',
      validationStatus: found,
    });
    // Each time that the notifier asks, the grant is signed anew.
    const known = before.map((event) => ({ ...event, grant: event.grant && expect.any(String) }));
    expect(await scene.events(requestId)).toEqual(known);
  });

  it('in generation is not cancelled any more; what fails there is an error that an operator mends', async () => {
    const requestId = await claimed({ callbackUrl });
    await reaches(requestId, 'GENERATING');
    const cancelled = requests().cancel.mutate({ family: 'FS', requestId, faults: [] });
    await expect(cancelled).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    await scene.fail(requestId);
    expect(await reaches(requestId, 'ERROR')).toMatchObject({ validationStatus: 'COMPLETED' });
    expect(await scene.rerun(requestId)).toMatchObject({ status: 'GENERATING' });
    await scene.issue(requestId, 2);
    await reaches(requestId, 'GENERATED');
    expect((await scene.events(requestId)).map(({ type, identifierName }) => [type, identifierName])).toEqual(
      [
        ['request.error', 'simplifiedRequestId'],
        ['certificate.issued', 'simplifiedRequestId'],
      ],
    );
  });

  it('that nobody claims, or whose error nobody mends, expires after 50 days', async () => {
    const [unclaimed, unmended] = [
      await register(makeSimplified()),
      await register(makeSimplified({ identificationNumber: '2450000902' })),
    ];
    await reaches(unclaimed, 'APPROVED');
    await reaches(unmended, 'ERROR');
    ground.pass(49 * DAY_MS);
    await ground.sweep();
    expect([(await view(unclaimed)).status, (await view(unmended)).status]).toEqual(['APPROVED', 'ERROR']);
    ground.pass(2 * DAY_MS);
    await ground.sweep();
    expect([(await view(unclaimed)).status, (await view(unmended)).status]).toEqual(['EXPIRED', 'EXPIRED']);
  });
});

describe('a cédula of the sandbox in the simplified family', () => {
  it.each([
    ['2450000100', 'APPROVED', undefined],
    ['2450000209', 'APPROVED', undefined],
    ['2450000308', 'APPROVED', undefined],
    ['2450000407', 'REFUSED', 'APPLICANT_UNDERAGE'],
    ['2450000506', 'REFUSED', 'APPLICANT_DECEASED'],
    ['2450000605', 'ERROR', 'IDENTIFICATION_NOT_FOUND'],
    ['2450000704', 'APPROVED', undefined],
    ['2450000803', 'ERROR', 'NAME_MISMATCH'],
    ['2450000902', 'ERROR', 'EXTERNAL_SERVICE_UNAVAILABLE'],
    ['2450001009', 'ERROR', 'EXTERNAL_SERVICE_UNAVAILABLE'],
    ['2450001108', 'APPROVED', undefined],
    ['2450001207', 'APPROVED', undefined],
    ['2450001306', 'APPROVED', undefined],
    ['2450001405', 'APPROVED', undefined],
    ['2450001504', 'VALIDATING', undefined],
    ['2450001603', 'APPROVED', undefined],
    ['2450001702', 'APPROVED', undefined],
    ['2450001801', 'APPROVED', undefined],
  ])('%s comes to %s (%s)', async (identificationNumber, status, code) => {
    const requestId = await register(makeSimplified({ identificationNumber, callbackUrl }));
    await expect
      .poll(async () => (await view(requestId)).validationStatus)
      .not.toMatch(/PENDING|AUTOMATICALLY/);
    const record = await view(requestId);
    expect([record.status, record.observation?.code]).toEqual([status, code]);
    expect(record.correctableFields).toEqual([]);
    const events = (await scene.events(requestId)).map(({ type }) => type);
    const told = { ERROR: ['request.error'], REFUSED: ['request.refused'] }[status] ?? [];
    expect(events).toEqual(told);
  });

  it('2450000704 with another finger code is an error', async () => {
    const requestId = await register(
      makeSimplified({ identificationNumber: '2450000704', fingerCode: 'E1234I5678' }),
    );
    expect(await reaches(requestId, 'ERROR')).toMatchObject({
      observation: { code: 'FINGER_CODE_MISMATCH' },
    });
  });

  it('2450001009 passes when an operator has it looked up again', async () => {
    const requestId = await register(makeSimplified({ identificationNumber: '2450001009' }));
    await reaches(requestId, 'ERROR');
    await scene.rerun(requestId);
    await reaches(requestId, 'APPROVED');
  });
});
