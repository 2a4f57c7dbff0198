import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { flowGround, notDue } from './support/api-flow.ts';
import { fault } from './support/claims.ts';

const ground = await disposeAfterAll(flowGround());

describe('a session', () => {
  it('whose time is over still counts as passed where its provider says so', async () => {
    const requestId = await ground.register();
    await ground.identity(requestId);
    const { livenessSessionId } = await ground.liveness(requestId);
    ground.pass(16 * MINUTE_MS);
    await expect(ground.liveness(requestId)).rejects.toMatchObject({
      ...notDue,
      message: expect.stringContaining('ISSUANCE'),
    });
    expect(await ground.check(requestId, livenessSessionId)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('shows its page as ready, done and over, and none that it does not know', async () => {
    const page = ground.intake.client({ kind: 'service', name: 'gateway' }).signature;
    const seal = async (sessionId: string, owner = 'gateway') => ({
      sealedSession: await ground.keyring.sealTo('intake', sessionId, { purpose: 'liveness-page', owner }),
    });
    const [left, done] = await Promise.all(
      [0, 1].map(async () => {
        const requestId = await ground.register();
        await ground.identity(requestId);
        return seal((await ground.liveness(requestId)).livenessSessionId);
      }),
    );
    if (!left || !done) throw new Error('no sessions');
    expect(await page.livenessPage.query(left)).toMatchObject({
      state: 'READY',
      partnerName: 'Partner sandbox',
    });
    for (const _twice of [1, 2])
      expect(await page.completeLiveness.mutate(done)).toMatchObject({ state: 'DONE' });
    ground.pass(16 * MINUTE_MS);
    expect(await page.livenessPage.query(left)).toMatchObject({ state: 'EXPIRED' });
    expect(await page.completeLiveness.mutate(left)).toMatchObject({ state: 'EXPIRED' });
    expect(await page.livenessPage.query(done)).toMatchObject({ state: 'DONE' });
    const requestId = await ground.register();
    await ground.identity(requestId);
    const { livenessSessionId } = await ground.liveness(requestId);
    for (const unknown of [
      await seal('nobody'),
      { sealedSession: livenessSessionId },
      await seal(livenessSessionId, 'notifier'),
    ])
      await expect(page.livenessPage.query(unknown)).rejects.toMatchObject(fault('REQUEST_NOT_FOUND'));
  });
});

describe('a day after its registration', () => {
  it('a request expires in every state that waits, with its secrets, and none before', async () => {
    const sealed = { sealedPassword: 'sealed.to.generation' };
    const registered = await ground.register({}, sealed);
    const validating = await ground.register({}, sealed);
    await ground.identity(validating);
    const approved = await ground.approved();
    const reviewed = await ground.register({ identificationNumber: '2450001504' });
    await ground.identity(reviewed);
    await ground.prove(reviewed);
    const failed = await ground.approved();
    await ground.issue(failed);
    const outcome = { requestId: failed, attempt: 1, code: 'KEY_GENERATION_FAILED' } as const;
    await ground.intake.tell('events.certificate.failed', outcome);
    await pollFor(async () => (await ground.statusOf(failed)).status === 'ERROR');
    const generating = await ground.approved();
    await ground.issue(generating);
    const waiting = [registered, validating, approved, reviewed, failed];

    ground.pass(23 * HOUR_MS);
    await ground.sweep();
    for (const requestId of waiting) {
      expect((await ground.statusOf(requestId)).status).not.toBe('EXPIRED');
      expect(await ground.rowOf(requestId)).toMatchObject({ publish_count: 0 });
    }
    ground.pass(2 * HOUR_MS);
    await expect(ground.identity(registered)).rejects.toMatchObject({
      ...notDue,
      message: expect.stringContaining('EXPIRED'),
    });
    await ground.sweep();
    for (const requestId of waiting) {
      expect(await ground.statusOf(requestId)).toMatchObject({ status: 'EXPIRED' });
      expect(await ground.rowOf(requestId)).toMatchObject({ sealed_password: null, due_at: null });
      await expect(ground.issue(requestId)).rejects.toMatchObject(notDue);
    }
    expect(await ground.statusOf(generating)).toMatchObject({ status: 'GENERATING' });
    const validated = await ground.intake.outbox('jobs.validation.requested');
    expect(validated).toEqual([]);
  });

  it('one whose generation is stuck is woken, may still be issued, and is handed over for seven days', async () => {
    const requestId = await ground.approved();
    await ground.issue(requestId);
    await ground.intake.query(
      `update intake.request set due_at = now() - interval '1 second' where id = $1`,
      [requestId],
    );
    ground.pass(25 * HOUR_MS);
    await ground.sweep();
    const jobs = await ground.intake.outbox('jobs.certificate.issue');
    expect(jobs.filter((job) => job.requestId === requestId)).toHaveLength(2);
    await ground.issue(requestId);
    await ground.intake.tell('events.certificate.issued', {
      requestId,
      attempt: 1,
      certificateId: uuidv7(),
      serialNumber: 'ABCDEF0123456780',
      notBefore: ground.clock().toISOString(),
      notAfter: '2027-11-20T23:59:59.000Z',
      cappedBy: null,
      truncated: [],
    });
    await pollFor(async () => (await ground.statusOf(requestId)).status === 'GENERATED');
    for (const _again of [1, 2]) expect(await ground.issue(requestId)).toMatchObject({ status: 'GENERATED' });
    ground.pass(7 * DAY_MS);
    await expect(ground.issue(requestId)).rejects.toMatchObject(fault('CERTIFICATE_NOT_FOUND'));
  });
});
