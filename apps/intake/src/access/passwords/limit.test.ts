import { expect, it } from 'vitest';
import { Busy, createLimit } from './limit.ts';

const never = 1_000_000;

/** Work that ends when the test says so. */
function heldWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve('done') };
}

it('runs as many at once as told, the others in order of arrival, and refuses beyond the queue', async () => {
  const limit = createLimit({ atOnce: 1, waiting: 2, waitMs: never });
  const order: number[] = [];
  const held = heldWork();
  const first = limit.run(held.work);
  const others = [1, 2].map((n) => limit.run(async () => order.push(n)));
  expect(() => limit.assertRoom()).toThrow(Busy);
  await expect(limit.run(async () => order.push(3))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(order).toEqual([]);
  held.end();
  expect(await first).toBe('done');
  await Promise.all(others);
  expect(order).toEqual([1, 2]);
  limit.assertRoom();
});

it('refuses a call that has waited for too long, and leaves its place to the next', async () => {
  const limit = createLimit({ atOnce: 1, waiting: 1, waitMs: 1 });
  const held = heldWork();
  const first = limit.run(held.work);
  let isRun = false;
  await expect(
    limit.run(async () => {
      isRun = true;
    }),
  ).rejects.toThrow(Busy);
  limit.assertRoom();
  held.end();
  await first;
  expect(isRun).toBe(false);
  expect(await limit.run(async () => 'next')).toBe('next');
});

it('frees the place of work that fails', async () => {
  const limit = createLimit({ atOnce: 1, waiting: 0, waitMs: never });
  await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await limit.run(async () => 'next')).toBe('next');
});
