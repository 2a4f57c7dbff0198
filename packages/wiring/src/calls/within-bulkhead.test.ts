import { bulkheads } from '@rubrica/contracts/services/call';
import { AppError } from '@rubrica/process/errors';
import { expect, it } from 'vitest';
import { createWithinBulkhead } from './within-bulkhead.ts';

const { maxInFlight, retryAfterSeconds } = bulkheads.passwords;
const full = { code: 'RATE_LIMITED', retryAfterSeconds };

it('calls beyond the bulkhead are refused before they are made, and other calls are not', async () => {
  const within = createWithinBulkhead();
  const { promise, resolve } = Promise.withResolvers<string>();
  const running = Array.from({ length: maxInFlight }, () => within('passwords', () => promise));
  let made = false;
  const beyond = within('passwords', async () => {
    made = true;
  });
  await expect(beyond).rejects.toMatchObject(full);
  expect(made).toBe(false);
  expect(await within(undefined, async () => 'answered')).toBe('answered');
  resolve('done');
  expect(await Promise.all(running)).toEqual(Array(maxInFlight).fill('done'));
  expect(await within('passwords', async () => 'answered')).toBe('answered');
});

it('a call gives its room back however it ends', async () => {
  const within = createWithinBulkhead();
  const failing = () => within('passwords', () => Promise.reject(new AppError({ code: 'UNAUTHENTICATED' })));
  for (let call = 0; call <= maxInFlight; call += 1)
    await expect(failing()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
