import { pollFor } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { claimGround } from './support/claims.ts';
import { arm, startProcess } from './support/intake-process.ts';

it('killed after a claim is committed and before it is answered, intake has it: the repeat says so, once', async () => {
  await using ground = await claimGround();
  const link = await ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
  const code = await ground.sendCode(link);
  await ground.intake.stopService();
  const { env } = ground.intake.ground;
  await arm(env, crashPoints.afterClaim);

  await using first = startProcess(env);
  const view = () => ground.claims.view.query(link).catch(() => undefined);
  await pollFor(async () => (await view())?.state === 'OPEN');
  const [unanswered, [, signal]] = await Promise.all([
    ground.claim(link, code).catch((error: unknown) => error),
    first.ended,
  ]);
  expect(unanswered).toBeInstanceOf(Error);
  expect(signal).toBe('SIGKILL');

  await using _second = startProcess(env);
  await pollFor(async () => (await view())?.state === 'IN_PROGRESS');
  expect(await ground.claim(link, code)).toMatchObject({ state: 'IN_PROGRESS' });
  expect((await ground.timelineOf(link.requestId)).filter((one) => one === 'claim')).toHaveLength(1);
  // The relay of whoever lives publishes what the dead one had committed.
  await pollFor(async () => {
    const sql = `select 1 from intake.outbox where subject = 'jobs.certificate.issue' and published_at is not null`;
    return (await ground.intake.query(sql)).length === 1;
  });
});
