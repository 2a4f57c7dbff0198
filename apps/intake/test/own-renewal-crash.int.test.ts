import { pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { arm, disarm, startProcess } from './support/intake-process.ts';
import { renewalGround, renewalsOf } from './support/own-renewals.ts';

describe('a renewal by its subscriber whose intake is killed', () => {
  it.each([
    ['before it is committed is not there, and the same code makes it', crashPoints.beforeOwnRenewal, 0],
    ['before it is answered is there once, and the repeat says so', crashPoints.afterOwnRenewal, 1],
  ])('%s', async (_, point, committed) => {
    await using ground = await renewalGround();
    const link = await ground.reminded();
    const code = await ground.sendRenewalCode(link);
    await ground.intake.stopService();
    const { env } = ground.intake.ground;
    await arm(env, point);

    await using first = startProcess(env);
    const view = () => ground.renewals.view.query(link).catch(() => undefined);
    await pollFor(async () => (await view())?.state === 'OPEN');
    const [unanswered, [, signal]] = await Promise.all([
      ground.renew(link, code).catch((error: unknown) => error),
      first.ended,
    ]);
    expect(unanswered).toBeInstanceOf(Error);
    expect(signal).toBe('SIGKILL');
    expect(await renewalsOf(ground, link.requestId)).toHaveLength(committed);

    await disarm(env, point);
    await using _second = startProcess(env);
    await pollFor(async () => (await view())?.state === (committed === 1 ? 'IN_PROGRESS' : 'OPEN'));
    expect(await ground.renew(link, code)).toMatchObject({ state: 'IN_PROGRESS' });
    const [made, ...others] = await renewalsOf(ground, link.requestId);
    expect(others).toEqual([]);
    await ground.reaches(made?.id ?? '', 'GENERATING');
    expect((await ground.timelineOf(made?.id ?? '')).filter((one) => one === 'register')).toHaveLength(1);
  });
});
