import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, makePng, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { flowGround, mediaTypes, notDue } from './support/api-flow.ts';
import { fault } from './support/claims.ts';
import { asOperator } from './support/running-intake.ts';

const ground = await disposeAfterAll(flowGround());

function duringAll(calls: readonly Promise<unknown>[]) {
  return Promise.allSettled(calls).then((all) => all.map(({ status }) => status).sort());
}

describe('a registration', () => {
  it('records the accepted terms, waits for its identity and says until when', async () => {
    const input = ground.makeFlow();
    const answer = await ground.as().requests.register.mutate(input);
    const { requestId } = input;
    expect(answer).toMatchObject({ status: 'REGISTERED', validationStatus: 'PENDING' });
    expect(Date.parse(answer.expiresAt ?? '') - Date.parse(answer.createdAt)).toBe(DAY_MS);
    expect(await ground.as().requests.register.mutate(input)).toEqual(answer);
    const accepted = await ground.intake.query(
      'select terms_id, terms_version, language, remote_address, user_agent from intake.terms_acceptance where request_id = $1',
      [requestId],
    );
    expect(accepted).toEqual([
      {
        terms_id: ground.terms.id,
        terms_version: '1.0',
        language: 'en',
        remote_address: '192.0.2.9',
        user_agent: 'A partner',
      },
    ]);
    const jobs = await ground.intake.outbox('jobs.validation.requested');
    expect(jobs.filter((job) => job.requestId === requestId)).toEqual([]);
  });

  it('with other terms than those in force is refused, and nothing is registered', async () => {
    const input = ground.makeFlow({ termsAndConditionsId: uuidv7() });
    await expect(ground.as().requests.register.mutate(input)).rejects.toMatchObject(fault('TERMS_OUTDATED'));
    await expect(ground.statusOf(input.requestId)).rejects.toMatchObject(fault('REQUEST_NOT_FOUND'));
  });

  it('of a reference that is taken is told so before it is told of its terms', async () => {
    const referenceTransaction = 'API-TWICE';
    await ground.register({ referenceTransaction });
    const again = ground.makeFlow({ referenceTransaction, termsAndConditionsId: uuidv7() });
    await expect(ground.as().requests.register.mutate(again)).rejects.toMatchObject(
      fault('DUPLICATED_REFERENCE_TRANSACTION'),
    );
  });
});

describe('the steps', () => {
  it('lead from the registration to the certificate, each naming the next', async () => {
    const requestId = await ground.register();
    expect(await ground.identity(requestId)).toEqual({
      requestId,
      result: 'APPROVED',
      nextStep: 'LIVENESS_REQUEST',
      attemptsRemaining: 3,
      failureReasons: [],
    });
    expect(await ground.statusOf(requestId)).toMatchObject({
      status: 'VALIDATING',
      validationStatus: 'AUTOMATICALLY_VALIDATING',
    });
    const session = await ground.liveness(requestId);
    expect(session).toMatchObject({ attemptNumber: 1 });
    expect(
      await ground.keyring.openText(session.sealedUrl, { purpose: 'liveness-url', owner: requestId }),
    ).toContain(session.livenessSessionId);
    expect(await ground.check(requestId, session.livenessSessionId)).toMatchObject({
      status: 'SUCCEEDED',
      result: 'APPROVED',
      failureReasons: [],
      nextStep: 'ISSUANCE',
    });
    expect(await ground.statusOf(requestId)).toMatchObject({
      status: 'APPROVED',
      validationStatus: 'COMPLETED',
    });
    expect(await ground.issue(requestId)).toMatchObject({
      status: 'GENERATING',
      nextStep: 'ISSUANCE',
      isPasswordOurs: true,
    });
    await ground.intake.tell('events.certificate.issued', {
      requestId,
      attempt: 1,
      certificateId: uuidv7(),
      serialNumber: 'ABCDEF0123456789',
      notBefore: new Date().toISOString(),
      notAfter: '2027-11-20T23:59:59.000Z',
      cappedBy: null,
      truncated: [],
    });
    await pollFor(async () => (await ground.statusOf(requestId)).status === 'GENERATED');
    expect(await ground.issue(requestId)).toMatchObject({ status: 'GENERATED', nextStep: 'NONE' });
    expect(await ground.timelineOf(requestId)).toEqual([
      'registerStepwise',
      'passIdentity',
      'requestLiveness',
      'passSteps',
      'issueStepwise',
      'issue',
      'retrieve',
    ]);
    expect(
      await ground.intake.query('select 1 from intake.message where request_id = $1', [requestId]),
    ).toEqual([]);
  });

  it('in another order are refused with the one that is due', async () => {
    const refusals = async (due: string, calls: readonly (() => Promise<unknown>)[]) => {
      for (const call of calls)
        await expect(call(), due).rejects.toMatchObject({ ...notDue, message: expect.stringContaining(due) });
    };
    const requestId = await ground.register();
    const identity = () => ground.identity(requestId);
    const liveness = () => ground.liveness(requestId);
    const issue = () => ground.issue(requestId);
    await refusals('IDENTITY_VALIDATION', [liveness, issue]);
    await identity();
    await refusals('LIVENESS_REQUEST', [identity, issue]);
    const { livenessSessionId } = await liveness();
    await refusals('LIVENESS_CHECK', [identity, issue]);
    await ground.check(requestId, livenessSessionId);
    await refusals('ISSUANCE', [identity, liveness]);
    await issue();
    await refusals('ISSUANCE', [identity, liveness]);
  });

  it("of another partner's request find nothing", async () => {
    const requestId = await ground.register();
    const { signature } = ground.as('other');
    const input = { requestId, callId: uuidv7(), faults: [], ...(await ground.sealIdentity(requestId)) };
    for (const call of [
      () => signature.validateIdentity.mutate(input),
      () => signature.requestLiveness.mutate({ requestId }),
      () => signature.checkLiveness.mutate({ requestId, sealedSession: 'x' }),
      () => signature.issue.mutate({ requestId }),
    ])
      await expect(call()).rejects.toMatchObject(fault('REQUEST_NOT_FOUND'));
  });
});

describe('the identity', () => {
  it('is rejected with its reason, and the third rejection refuses the request', async () => {
    const requestId = await ground.register({ identificationNumber: '2450000704' });
    for (const attemptsRemaining of [2, 1])
      expect(await ground.identity(requestId)).toMatchObject({
        result: 'REJECTED',
        failureReasons: ['FINGER_CODE_MISMATCH'],
        nextStep: 'IDENTITY_VALIDATION',
        attemptsRemaining,
      });
    expect(await ground.identity(requestId)).toMatchObject({ nextStep: 'NONE', attemptsRemaining: 0 });
    expect(await ground.statusOf(requestId)).toMatchObject({
      status: 'REFUSED',
      validationStatus: 'REFUSED',
      observation: { code: 'FINGER_CODE_MISMATCH' },
    });
    const events = await ground.eventsOf(requestId);
    expect(events).toMatchObject([{ type: 'request.refused', message: expect.stringContaining('3 times') }]);
    await expect(ground.identity(requestId)).rejects.toMatchObject(notDue);
  });

  it.each([
    ['2450000407', 'APPLICANT_UNDERAGE'],
    ['2450000506', 'APPLICANT_DECEASED'],
  ])('of %s is refused at once with %s', async (identificationNumber, reason) => {
    const requestId = await ground.register({ identificationNumber });
    expect(await ground.identity(requestId)).toMatchObject({
      result: 'REJECTED',
      failureReasons: [reason],
      nextStep: 'NONE',
      attemptsRemaining: 0,
    });
    expect(await ground.statusOf(requestId)).toMatchObject({ status: 'REFUSED' });
  });

  it('of an inactive company is rejected', async () => {
    const requestId = await ground.register({ companyRuc: '2490000103001' });
    expect(await ground.identity(requestId)).toMatchObject({ failureReasons: ['RUC_INACTIVE'] });
  });

  it('whose document nobody can read is rejected, and a readable one takes its place', async () => {
    const requestId = await ground.register();
    const contents = { identificationFront: makePng().subarray(0, 40) };
    expect(await ground.identity(requestId, { contents })).toMatchObject({
      result: 'REJECTED',
      failureReasons: ['DOCUMENT_ILLEGIBLE'],
      attemptsRemaining: 2,
    });
    expect(await ground.identity(requestId)).toMatchObject({ result: 'APPROVED', attemptsRemaining: 2 });
  });

  it('costs no attempt while the registry does not answer, and is asked anew by the next call', async () => {
    const requestId = await ground.register({ identificationNumber: '2450001009' });
    await expect(ground.identity(requestId)).rejects.toMatchObject({
      data: { appCode: 'EXTERNAL_SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) },
    });
    expect(await ground.identity(requestId)).toMatchObject({ result: 'APPROVED', attemptsRemaining: 3 });
  });

  it('answers the same call twice with one attempt', async () => {
    const requestId = await ground.register({ identificationNumber: '2450000704' });
    const callId = uuidv7();
    const first = await ground.identity(requestId, { callId });
    expect(await ground.identity(requestId, { callId })).toEqual(first);
    expect(first).toMatchObject({ attemptsRemaining: 2 });
  });

  it('is looked at by one of two calls at once; the other is refused and costs nothing', async () => {
    const requestId = await ground.register({ identificationNumber: '2450001801' });
    expect(await duringAll([ground.identity(requestId), ground.identity(requestId)])).toEqual([
      'fulfilled',
      'rejected',
    ]);
    const kept = await ground.intake.query('select 1 from intake.evidence where request_id = $1', [
      requestId,
    ]);
    expect(kept).toHaveLength(3);
  });

  it('that was cancelled by an operator meanwhile is not approved', async () => {
    const requestId = await ground.register({ identificationNumber: '2450001801' });
    const looking = ground.identity(requestId);
    await pollFor(async () => (await ground.rowOf(requestId)).lease_until !== null);
    const admin = asOperator('admin');
    await ground.intake.operators(admin).requests.cancel.mutate({ requestId });
    await expect(looking).rejects.toMatchObject(notDue);
    expect(await ground.statusOf(requestId)).toMatchObject({ status: 'CANCELLED' });
  });

  it('needs its three images, but for the back of an identity certificate', async () => {
    const requestId = await ground.register();
    const { identificationBack: _, ...noBack } = mediaTypes;
    await expect(ground.identity(requestId, { types: noBack })).rejects.toMatchObject(
      fault('FIELD_REQUIRED'),
    );
    const certificate = { ...noBack, identificationFront: 'application/pdf' };
    await expect(
      ground.identity(requestId, { types: { ...certificate, identificationBack: 'image/png' } }),
    ).rejects.toMatchObject(fault('IDENTITY_CERTIFICATE_FLAG_REQUIRED'));
    expect(
      await ground.identity(requestId, { types: certificate, isIdentityCertificate: true }),
    ).toMatchObject({ result: 'APPROVED', attemptsRemaining: 3 });
  });
});

describe('the proof of life', () => {
  it('asked for again while it is open is the same one', async () => {
    const requestId = await ground.register();
    await ground.identity(requestId);
    const { sealedUrl, ...session } = await ground.liveness(requestId);
    expect(await ground.liveness(requestId)).toEqual({ ...session, sealedUrl });
  });

  it.each([
    ['2450001603', 'LIVENESS_FAILED'],
    ['2450001702', 'SELFIE_MISMATCH'],
  ])('of %s fails with %s, and the third refuses the request', async (identificationNumber, reason) => {
    const requestId = await ground.register({ identificationNumber });
    await ground.identity(requestId);
    for (const [attemptNumber, nextStep] of [
      [1, 'LIVENESS_REQUEST'],
      [2, 'LIVENESS_REQUEST'],
      [3, 'NONE'],
    ] as const) {
      const session = await ground.liveness(requestId);
      expect(session).toMatchObject({ attemptNumber });
      const outcome = await ground.check(requestId, session.livenessSessionId);
      expect(outcome).toMatchObject({
        status: 'FAILED',
        result: 'REJECTED',
        failureReasons: [reason],
        nextStep,
      });
      expect(await ground.check(requestId, session.livenessSessionId)).toEqual(outcome);
    }
    expect(await ground.statusOf(requestId)).toMatchObject({
      status: 'REFUSED',
      observation: { code: reason },
    });
    expect(await ground.eventsOf(requestId)).toMatchObject([{ type: 'request.refused' }]);
    await expect(ground.liveness(requestId)).rejects.toMatchObject(fault('LIVENESS_ATTEMPTS_EXCEEDED'));
  });

  it("of another request's session is not found", async () => {
    const [one, other] = [await ground.register(), await ground.register()];
    await ground.identity(one);
    await ground.identity(other);
    const { livenessSessionId } = await ground.liveness(one);
    await ground.liveness(other);
    await expect(ground.check(other, livenessSessionId)).rejects.toMatchObject(fault('REQUEST_NOT_FOUND'));
  });

  it('that was passed and whose registry has a doubt waits for a person, whose approval needs no claim', async () => {
    const requestId = await ground.register({ identificationNumber: '2450001504' });
    await ground.identity(requestId);
    expect(await ground.prove(requestId)).toMatchObject({ result: 'APPROVED', nextStep: 'NONE' });
    expect(await ground.statusOf(requestId)).toMatchObject({ validationStatus: 'MANUALLY_VALIDATING' });
    await expect(ground.issue(requestId)).rejects.toMatchObject(notDue);
    const reviewer = {
      kind: 'operator',
      operatorId: '01900000-0000-7000-8000-0000000000a1',
      email: 'admin@example.com',
      role: 'admin',
    } as const;
    await ground.intake.operators(reviewer).reviews.approve.mutate({ requestId });
    expect(await ground.statusOf(requestId)).toMatchObject({ status: 'APPROVED' });
    expect(await ground.issue(requestId)).toMatchObject({ status: 'GENERATING' });
    expect(
      await ground.intake.query('select 1 from intake.message where request_id = $1', [requestId]),
    ).toEqual([]);
  });
});

describe('the issuance', () => {
  it('starts once, however many ask at once', async () => {
    const requestId = await ground.approved();
    const answers = await Promise.all([
      ground.issue(requestId),
      ground.issue(requestId),
      ground.issue(requestId),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['GENERATING']));
    const jobs = await ground.intake.outbox('jobs.certificate.issue');
    expect(jobs.filter((job) => job.requestId === requestId)).toHaveLength(1);
  });

  it('takes a password that comes with the start, and none later', async () => {
    const requestId = await ground.approved();
    expect(await ground.issue(requestId, 'sealed.first')).toMatchObject({ isPasswordOurs: false });
    await ground.issue(requestId, 'sealed.second');
    expect(await ground.rowOf(requestId)).toMatchObject({
      sealed_password: 'sealed.first',
      password_origin: 'PARTNER',
    });
  });

  it('that failed says why until an operator has it made again', async () => {
    const requestId = await ground.approved();
    await ground.issue(requestId);
    const failed = { requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' } as const;
    await ground.intake.tell('events.certificate.failed', failed);
    await pollFor(async () => (await ground.statusOf(requestId)).status === 'ERROR');
    await expect(ground.issue(requestId)).rejects.toMatchObject({
      ...notDue,
      message: expect.stringContaining('KEY_GENERATION_FAILED'),
    });
    const admin = asOperator('admin');
    await ground.intake.operators(admin).requests.rerun.mutate({ requestId });
    expect(await ground.issue(requestId)).toMatchObject({ status: 'GENERATING' });
  });
});
