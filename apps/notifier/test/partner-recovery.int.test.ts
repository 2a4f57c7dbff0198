import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { expect, it } from 'vitest';
import { createRecoverEvents } from '../src/partner-events/recover-events.ts';
import { notifierGround } from './support/ground.ts';

const { start } = notifierGround();

it('a partner may recover its events six times a minute, and the others too', async () => {
  await using notifier = await start();
  let nowMs = 0;
  const recover = createRecoverEvents({
    database: notifier.database,
    intake: { 'events.reopen': () => Promise.reject(new Error('nothing has failed')) },
    nudgeDeliveries: notifier.deliveries.nudge,
    nowMs: () => nowMs,
  });
  const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
  const by = async (partnerId: string, input: Parameters<typeof recover>[0] = range) =>
    recover(input, { caller: { partnerId, clientId: 'client' } } as Parameters<typeof recover>[1]);
  const [noisy, other] = [uuidv7(), uuidv7()];
  for (let call = 0; call < 6; call++) {
    expect(await by(noisy)).toEqual({ resent: 0, expired: 0, after: null });
    nowMs += 1_000;
  }
  const surplus = await by(noisy).catch((error: unknown) => error);
  expect(surplus).toBeInstanceOf(AppError);
  expect(surplus).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 54 });
  expect(await by(other)).toMatchObject({ resent: 0 });
  // A call of the gateway that goes on with a recovery is none of its own.
  expect(await by(noisy, { ...range, after: uuidv7() })).toMatchObject({ resent: 0 });
  nowMs += 54_000;
  expect(await by(noisy)).toMatchObject({ resent: 0 });
});
