import { expect, it } from 'vitest';
import { createReencodingLimits } from './limit-reencoding.ts';

it('a certificate is written anew six times an hour', async () => {
  let now = 1_000;
  const limits = createReencodingLimits(() => now);
  const once = (serial: string) => limits.run(serial, async () => serial);
  for (let count = 0; count < 6; count += 1) expect(await once('0A')).toBe('0A');
  await expect(once('0A')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 3_599 });
  expect(await once('0B')).toBe('0B');
  now += 3_600_000;
  expect(await once('0A')).toBe('0A');
});

it('one is written at a time, and few wait', async () => {
  const limits = createReencodingLimits(() => 0);
  let underWay = 0;
  let most = 0;
  const work = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
  };
  const outcomes = await Promise.allSettled(
    ['A', 'B', 'C', 'D', 'E'].map((serial) => limits.run(serial, work)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
  expect(most).toBe(1);
  await limits.run('F', work);
});

it('a failure keeps nobody from being next', async () => {
  const limits = createReencodingLimits(() => 0);
  await expect(limits.run('A', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await limits.run('A', async () => 1)).toBe(1);
});
