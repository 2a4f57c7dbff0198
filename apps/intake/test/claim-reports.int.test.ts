import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { type ClaimGround, claimGround, fault } from './support/claims.ts';
import { arm, startProcess } from './support/intake-process.ts';
import { makeCorrection, makeRegular } from './support/regular.ts';
import { asOperator, asPartner } from './support/running-intake.ts';

const ground = await disposeAfterAll(claimGround());

type Link = Awaited<ReturnType<ClaimGround['approved']>>;
const TRANSACTIONAL = { certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined };

function report({ sealedToken }: Pick<Link, 'sealedToken'>, said: 'DISPUTED' | 'DATA_WRONG') {
  return ground.claims.report.mutate({ sealedToken, report: said });
}

function eventsOf(requestId: string) {
  return ground.intake.query<{ type: string; message: string | null }>(
    'select type, message from intake.webhook_event where request_id = $1',
    [requestId],
  );
}

async function newestLink(requestId: string): Promise<Link> {
  const token = await ground.secretOf(requestId, 'claim');
  return { requestId, token, sealedToken: await ground.sealToken(token) };
}

describe('“this was not me”', () => {
  it('refuses the request without a code, destroys its secrets, tells the partner and the operators', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const { requestId } = link;
    await ground.sendCode(link);
    expect(await report(link, 'DISPUTED')).toMatchObject({ state: 'ENDED', reported: 'DISPUTED' });
    expect(await ground.statusOf(requestId)).toMatchObject({
      status: 'REFUSED',
      validationStatus: 'REFUSED',
      observation: { code: 'APPLICANT_DISPUTED' },
      correctableFields: [],
    });
    expect(await eventsOf(requestId)).toEqual([
      { type: 'request.refused', message: expect.stringContaining('did not ask for this certificate') },
    ]);
    const secrets = await ground.intake.query(
      `select 1 from intake.message where request_id = $1 and sealed_secret is not null
       union all select 1 from intake.claim_code where request_id = $1 and digest is not null`,
      [requestId],
    );
    expect(secrets).toEqual([]);
    const { warnings } = await ground.intake.operators(asOperator('viewer')).overview.query();
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'APPLICANT_DISPUTED', subject: requestId }),
    );
    const audit = await ground.intake.operators(asOperator('viewer')).audit.list.query({ limit: 1 });
    expect(audit.items[0]).toMatchObject({ action: 'claims.dispute', actor: 'holder' });
  });

  it('is heard once, however often it is said; nothing else can be said or done after it', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const said = await Promise.all([report(link, 'DISPUTED'), report(link, 'DISPUTED')]);
    expect(said.map(({ reported }) => reported)).toEqual(['DISPUTED', 'DISPUTED']);
    expect((await ground.timelineOf(link.requestId)).filter((one) => one === 'dispute')).toHaveLength(1);
    await expect(report(link, 'DATA_WRONG')).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    await expect(ground.sendCode(link)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    await expect(ground.claim(link, '123456')).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });

  it('comes too late after the claim; of both at once one counts', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const code = await ground.sendCode(link);
    const [claimed, disputed] = await Promise.allSettled([
      ground.claim(link, code),
      report(link, 'DISPUTED'),
    ]);
    expect([claimed.status, disputed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    const later = await ground.approved(TRANSACTIONAL);
    await ground.claim(later, await ground.sendCode(later));
    await expect(report(later, 'DISPUTED')).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });
});

describe('“these data are wrong”', () => {
  it('sends the request back to the partner, who may correct names, e-mails and telephone', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const { requestId } = link;
    await ground.sendCode(link);
    expect(await report(link, 'DATA_WRONG')).toMatchObject({ state: 'ENDED', reported: 'DATA_WRONG' });
    expect(await ground.statusOf(requestId)).toMatchObject({
      status: 'ERROR',
      validationStatus: 'ERROR',
      observation: { code: 'APPLICANT_DATA_WRONG' },
      correctableFields: [
        'applicantName',
        'applicantLastName',
        'applicantSecondLastName',
        'email',
        'secondEmail',
        'cellphoneNumber',
      ],
    });
    expect(await eventsOf(requestId)).toEqual([
      { type: 'request.error', message: expect.stringContaining('data are wrong') },
    ]);
    await expect(ground.sendCode(link)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    const corrections = { email: 'right@other.ec', cellphoneNumber: '+593987654321' };
    await ground.otp.retry.mutate({ family: 'TV', requestId, corrections, faults: [] });
    await ground.reaches(requestId, 'APPROVED');
    const renewed = await newestLink(requestId);
    expect(renewed.token).not.toBe(link.token);
    expect(await ground.messageOf(requestId, 'claim')).toMatchObject({ to: 'right@other.ec' });
    await expect(ground.claims.view.query(link)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect(await ground.claims.view.query(renewed)).toMatchObject({
      state: 'OPEN',
      reported: null,
      codeSentTo: '+593*****321',
    });
    expect(await ground.claim(renewed, await ground.sendCode(renewed))).toMatchObject({
      state: 'IN_PROGRESS',
    });
  });

  it('starts again from the beginning where the names were corrected', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const { requestId } = link;
    await report(link, 'DATA_WRONG');
    const corrections = { applicantName: 'María Josefa' };
    expect(await ground.otp.retry.mutate({ family: 'TV', requestId, corrections, faults: [] })).toMatchObject(
      { status: 'REGISTERED', validationStatus: 'PENDING' },
    );
    await ground.reaches(requestId, 'APPROVED');
    expect(await ground.claims.view.query(await newestLink(requestId))).toMatchObject({
      applicantName: 'María Josefa Ñúñez Pazmiño',
    });
  });

  it('of a regular request is mended by its correction, which takes e-mail and telephone then', async () => {
    const { requests } = ground.intake.client(asPartner('sandbox'));
    const statusOf = (requestId: string) => requests.status.query({ family: 'FR', requestId });
    const { requestId } = await requests.register.mutate(makeRegular());
    await pollFor(async () => (await statusOf(requestId)).status === 'APPROVED');
    await report(await newestLink(requestId), 'DATA_WRONG');
    expect(await statusOf(requestId)).toMatchObject({
      correctableFields: ['emailAddress', 'cellphoneNumber'],
    });
    await expect(requests.correct.mutate(makeCorrection(requestId))).rejects.toMatchObject(
      fault('FIELD_REQUIRED'),
    );
    const corrections = { emailAddress: 'right@other.ec', cellphoneNumber: '+593987654321' };
    expect(await requests.correct.mutate(makeCorrection(requestId, { corrections }))).toMatchObject({
      status: 'REGISTERED',
      validationStatus: 'PENDING',
    });
    await pollFor(async () => (await statusOf(requestId)).status === 'APPROVED');
    expect(await ground.messageOf(requestId, 'claim')).toMatchObject({ to: 'right@other.ec' });
    expect(await ground.claims.view.query(await newestLink(requestId))).toMatchObject({
      codeSentTo: '+593*****321',
    });
  });
});

it('killed after a report is committed and before it is answered, intake has it: the repeat says so, once', async () => {
  await using own = await claimGround();
  const { sealedToken, requestId } = await own.approved(TRANSACTIONAL);
  await own.intake.stopService();
  const { env } = own.intake.ground;
  await arm(env, crashPoints.afterReport);

  await using first = startProcess(env);
  const view = () => own.claims.view.query({ sealedToken }).catch(() => undefined);
  await pollFor(async () => (await view())?.state === 'OPEN');
  const said = { sealedToken, report: 'DISPUTED' as const };
  const [unanswered, [, signal]] = await Promise.all([
    own.claims.report.mutate(said).catch((error: unknown) => error),
    first.ended,
  ]);
  expect(unanswered).toBeInstanceOf(Error);
  expect(signal).toBe('SIGKILL');

  await using _second = startProcess(env);
  await pollFor(async () => (await view())?.state === 'ENDED');
  expect(await own.claims.report.mutate(said)).toMatchObject({ reported: 'DISPUTED' });
  expect((await own.timelineOf(requestId)).filter((one) => one === 'dispute')).toHaveLength(1);
});
