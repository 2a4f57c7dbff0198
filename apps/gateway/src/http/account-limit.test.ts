import { expect, test } from 'vitest';
import { createAccountLimit } from './account-limit.ts';

function limitOf(max: number) {
  const clock = { ms: 0 };
  const limit = createAccountLimit({ max, windowMs: 60_000, maxCounted: 100, nowMs: () => clock.ms });
  const tryIn = (account: string, address: string) => {
    try {
      limit({ account, address });
    } catch (error) {
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
    return 'allowed';
  };
  return { clock, tryIn };
}

test('an account is refused beyond its limit until the minute ends', () => {
  const { clock, tryIn } = limitOf(2);
  expect([tryIn('a@b.ec', '10.0.0.1'), tryIn('A@B.ec', '10.0.0.1')]).toEqual(['allowed', 'allowed']);
  clock.ms = 20_000;
  expect(tryIn('a@b.ec', '10.0.0.1')).toBe(40);
  clock.ms = 60_000;
  expect(tryIn('a@b.ec', '10.0.0.1')).toBe('allowed');
});

test('who guesses from elsewhere does not lock the owner out', () => {
  const { tryIn } = limitOf(2);
  for (let guess = 0; guess < 5; guess += 1) tryIn('a@b.ec', '203.0.113.9');
  expect(tryIn('a@b.ec', '203.0.113.9')).toBe(60);
  expect(tryIn('a@b.ec', '10.0.0.1')).toBe('allowed');
  expect(tryIn('other@b.ec', '203.0.113.9')).toBe('allowed');
});
