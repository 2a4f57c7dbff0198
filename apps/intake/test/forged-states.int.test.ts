import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll, makePng, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { flowGround, notDue } from './support/api-flow.ts';
import { claimGround, fault } from './support/claims.ts';
import { asOperator } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with intake's role in the database, who sets states that were never reached, and a partner's token. */
const ground = await disposeAfterAll(claimGround());
const flow = await disposeAfterAll(flowGround(ground));
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);

async function change(requestId: string, set: string): Promise<void> {
  const changed = await attacker.execute(`update request set ${set} where id = $1 returning 1`, [requestId]);
  expect(changed).toHaveLength(1);
}
async function order(requestId: string, attempt = 1) {
  const generation = await ground.intake.peer('generation');
  return generation.issuance.order.query({ requestId, attempt });
}
async function isAlarmed(id: string, table = 'request'): Promise<boolean> {
  const { warnings } = await ground.intake.operators(asOperator('admin')).overview.query();
  return warnings.some(({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === `${table}:${id}`);
}
async function claimed() {
  const link = await ground.approved();
  await ground.claim(link, await ground.sendCode(link));
  return link;
}
const retry = (requestId: string, rest: object = {}) =>
  ground.otp.retry.mutate({ family: 'TV', requestId, faults: [], corrections: {}, ...rest });
const generationFailed = `status = 'ERROR', validation_status = 'COMPLETED', failed_step = 'generation',
  error_code = 'KEY_GENERATION_FAILED', error_message = 'x', sealed_password = null`;

describe('a request that its applicant has claimed', () => {
  it('takes no password of its partner, whatever the row says', async () => {
    const { requestId } = await claimed();
    await change(requestId, generationFailed);
    await expect(retry(requestId, { sealedPassword: 'the.partners' })).rejects.toMatchObject(
      fault('REQUEST_STATE_NOT_ALLOWED'),
    );
    expect(await flow.rowOf(requestId)).toMatchObject({ password_origin: 'HOLDER', generation_attempt: 1 });
  });

  it.each([
    ['telephone', { cellphoneNumber: '+593990000001' }],
    ['e-mail', { email: 'another@correo.example' }],
  ])('is claimed anew after its partner has corrected the %s', async (_name, corrections) => {
    const { requestId } = await claimed();
    await ground.intake.tell('events.certificate.failed', {
      ...{ requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' },
    });
    await ground.reaches(requestId, 'ERROR');
    await retry(requestId, { corrections });
    await ground.reaches(requestId, 'APPROVED');
    await change(requestId, `status = 'GENERATING', generation_attempt = 2`);
    await expect(order(requestId, 2)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
    expect(await isAlarmed(requestId)).toBe(true);
  });

  it('is generated again as it is, with the password that the applicant chose', async () => {
    const { requestId } = await claimed();
    await ground.intake.tell('events.certificate.failed', {
      ...{ requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' },
    });
    await ground.reaches(requestId, 'ERROR');
    expect(await retry(requestId)).toMatchObject({ status: 'GENERATING' });
    expect(await order(requestId, 2)).toMatchObject({ passwordOrigin: 'HOLDER' });
  });
});

describe('a request that waits for its claim', () => {
  it('is not ordered as one in GENERATING', async () => {
    const { requestId } = await ground.approved();
    await change(requestId, `status = 'GENERATING', generation_attempt = 1`);
    await expect(order(requestId)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
    expect(await isAlarmed(requestId)).toBe(true);
  });

  it.each([
    ['without a password', {}],
    ['with one of its partner', { sealedPassword: 'the.partners' }],
  ])('is not generated as one whose generation failed, %s', async (_name, rest) => {
    const { requestId } = await ground.approved();
    await change(requestId, generationFailed);
    await expect(retry(requestId, rest)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    expect(await flow.rowOf(requestId)).toMatchObject({ password_origin: 'HOLDER', generation_attempt: 0 });
  });

  it('is not validated again after its applicant said that the data are wrong, until they are corrected', async () => {
    const link = await ground.approved();
    const { requestId } = link;
    await ground.claims.report.mutate({ ...link, report: 'DATA_WRONG' });
    await change(
      requestId,
      `status = 'REGISTERED', validation_status = 'PENDING', failed_step = null, error_code = null, due_at = now()`,
    );
    await attacker.execute(
      `insert into outbox (message_id, subject, payload) values ('again:' || $1::text, 'jobs.validation.requested',
         jsonb_build_object('requestId', $1::text, 'attempt', 1))`,
      [requestId],
    );
    await pollFor(() => isAlarmed(requestId), { what: 'the alarm' });
    await change(
      requestId,
      `status = 'ERROR', validation_status = 'ERROR', failed_step = 'validation', error_code = 'APPLICANT_DATA_WRONG'`,
    );
    await retry(requestId, { corrections: { applicantName: 'Ana' } });
    await ground.reaches(requestId, 'APPROVED');
  });
});

const genuine = { identificationSelfie: Buffer.concat([makePng(), Buffer.alloc(3)]) };
const another = { identificationSelfie: Buffer.concat([makePng(), Buffer.alloc(7)]) };
const damaged = { identificationSelfie: makePng().subarray(0, 40) };
const started = `status = 'REGISTERED', validation_status = 'PENDING'`;
const identified = `status = 'VALIDATING', validation_status = 'AUTOMATICALLY_VALIDATING'`;

describe('a flow whose partner takes it from step to step', () => {
  it('counts no proof of life that was begun with another selfie', async () => {
    const requestId = await flow.register();
    await flow.identity(requestId, { contents: another });
    const { livenessSessionId } = await flow.liveness(requestId);
    await attacker.execute('delete from identity_attempt where request_id = $1', [requestId]);
    await change(requestId, started);
    await flow.identity(requestId, { contents: genuine });
    await expect(flow.check(requestId, livenessSessionId)).rejects.toMatchObject(notDue);
    expect(await isAlarmed(requestId, 'liveness_session')).toBe(true);
    await expect(flow.issue(requestId)).rejects.toMatchObject(notDue);
  });

  it('keeps no decision over files that were refused', async () => {
    const requestId = await flow.register();
    await flow.identity(requestId, { contents: genuine });
    const { decision } = await flow.rowOf(requestId);
    await attacker.execute('delete from identity_attempt where request_id = $1', [requestId]);
    await change(requestId, started);
    expect(await flow.identity(requestId, { contents: damaged })).toMatchObject({ result: 'REJECTED' });
    expect((await flow.rowOf(requestId)).decision).toBeNull();
    await change(requestId, `${identified}, decision = '${JSON.stringify(decision)}'`);
    await expect(flow.liveness(requestId)).rejects.toMatchObject(notDue);
  });

  it('has no more attempts where rows of attempts were deleted', async () => {
    const requestId = await flow.register();
    for (const attemptsRemaining of [2, 1]) {
      expect(await flow.identity(requestId, { contents: damaged })).toMatchObject({ attemptsRemaining });
      await attacker.execute('delete from identity_attempt where request_id = $1', [requestId]);
    }
    expect(await flow.identity(requestId, { contents: damaged })).toMatchObject({ attemptsRemaining: 0 });
    expect(await flow.statusOf(requestId)).toMatchObject({ status: 'REFUSED' });
  });
});
