import { expect, it } from 'vitest';
import { Busy } from './limit.ts';
import { hashPassword } from './password-hash.ts';
import { createPasswordHashes } from './password-hashes.ts';

it('as many hashes are made as run and wait, and others are refused for now', async () => {
  const hashes = createPasswordHashes({ atOnce: 2, waiting: 3, waitMs: 60_000 });
  const stored = await hashPassword('right');
  const asked = Array.from({ length: 8 }, (_, n) => hashes.verify(n % 2 === 0 ? 'right' : 'wrong', stored));
  expect(() => hashes.assertRoom()).toThrow(Busy);
  const answers = await Promise.allSettled(asked);
  expect(answers.slice(0, 5).map((one) => one.status === 'fulfilled' && one.value)).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  for (const answer of answers.slice(5))
    expect(answer).toMatchObject({
      status: 'rejected',
      reason: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) },
    });
  hashes.assertRoom();
  expect(await hashes.verify('right', stored)).toBe(true);
});

it('a place is free again after a password that cannot be hashed', async () => {
  const hashes = createPasswordHashes({ atOnce: 1, waiting: 0, waitMs: 60_000 });
  await expect(hashes.hash(undefined as never)).rejects.toThrow();
  expect(await hashes.hash('right')).toMatch(/^\$argon2id\$/);
});
