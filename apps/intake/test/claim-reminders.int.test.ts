import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { claimGround, fault } from './support/claims.ts';

const ground = await disposeAfterAll(claimGround());

function approved() {
  return ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
}

function reminders(requestId: string) {
  return ground.intake.query<{ id: string }>(
    `select id from intake.message where request_id = $1 and template = 'claim-reminder'`,
    [requestId],
  );
}

/** Two copies of the service, at once. */
function sweep() {
  return Promise.all([ground.sweep(), ground.sweep()]);
}

describe('a link that waits', () => {
  it('is brought to mind four times by the same link, each once, and then expires with its secrets', async () => {
    const link = await approved();
    const { requestId } = link;
    const counts: number[] = [];
    let day = 0;
    for (const until of [6, 8, 24.5, 25.5, 42.5, 43.5, 48.5, 49.5]) {
      ground.pass((until - day) * DAY_MS);
      day = until;
      await sweep();
      await sweep();
      counts.push((await reminders(requestId)).length);
    }
    expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3, 4]);
    expect(await ground.secretOf(requestId, 'claim-reminder')).toBe(link.token);
    const jobs = await ground.intake.outbox('jobs.mail.send');
    for (const { id } of await reminders(requestId)) expect(jobs).toContainEqual({ messageId: id });
    expect((await ground.timelineOf(requestId)).filter((one) => one === 'remindHolder')).toHaveLength(4);
    ground.pass(DAY_MS);
    await sweep();
    await ground.reaches(requestId, 'EXPIRED');
    await expect(ground.claims.view.query(link)).rejects.toMatchObject(fault('CLAIM_LINK_EXPIRED'));
    expect((await ground.messageOf(requestId, 'claim-reminder')).sealedSecret).toBeNull();
    const secrets = await ground.intake.query(
      'select 1 from intake.message where request_id = $1 and sealed_secret is not null',
      [requestId],
    );
    expect(secrets).toEqual([]);
  });

  it('is not brought to mind when it went out within the last day, nor twice after a stand-still', async () => {
    const link = await approved();
    const { requestId } = link;
    ground.pass(6.5 * DAY_MS);
    await ground.otp.resendLink.mutate({ family: 'TV', requestId, faults: [] });
    ground.pass(DAY_MS);
    const [before] = [await reminders(requestId)];
    await ground.intake.query(`update intake.request set link_sent_at = $2 where id = $1`, [
      requestId,
      new Date(ground.clock().getTime() - DAY_MS + 60_000),
    ]);
    await sweep();
    expect(await reminders(requestId)).toEqual(before);
    ground.pass(36 * DAY_MS);
    await sweep();
    expect(await reminders(requestId)).toHaveLength(1);
  });

  it('is not brought to mind once it was claimed or cancelled', async () => {
    const [claimed, cancelled] = [await approved(), await approved()];
    await ground.claim(claimed, await ground.sendCode(claimed));
    await ground.otp.cancel.mutate({ family: 'TV', requestId: cancelled.requestId, faults: [] });
    ground.pass(30 * DAY_MS);
    await sweep();
    expect(await reminders(claimed.requestId)).toEqual([]);
    expect(await reminders(cancelled.requestId)).toEqual([]);
  });
});
