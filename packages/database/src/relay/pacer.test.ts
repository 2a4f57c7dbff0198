import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPacer } from './pacer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Takes turns without end and notes when each began. */
function looping(idleMs: number) {
  const pacer = createPacer({ gapMs: 2, now: () => Date.now() - start });
  const start = Date.now();
  const turns: number[] = [];
  void (async () => {
    for (;;) {
      await pacer.turn(idleMs);
      turns.push(Date.now() - start);
    }
  })();
  return { pacer, turns };
}

test('without a request a turn comes when the idle time is over', async () => {
  const { turns } = looping(500);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(turns).toEqual([500, 1_000]);
});

test('a request after a quiet moment is served at once', async () => {
  const { pacer, turns } = looping(500);
  await vi.advanceTimersByTimeAsync(100);
  pacer.request(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toEqual([100]);
});

test('under load turns keep the gap and none is lost', async () => {
  const { pacer, turns } = looping(500);
  await vi.advanceTimersByTimeAsync(100);
  for (let request = 0; request < 1_000; request += 1) pacer.request(0);
  await vi.advanceTimersByTimeAsync(1);
  pacer.request(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(turns).toEqual([100, 102]);
});

test('an urgent request overtakes one that may wait, not the other way round', async () => {
  const { pacer, turns } = looping(500);
  await vi.advanceTimersByTimeAsync(100);
  pacer.request(50);
  await vi.advanceTimersByTimeAsync(10);
  pacer.request(5);
  pacer.request(200);
  await vi.advanceTimersByTimeAsync(100);
  expect(turns).toEqual([115]);
});

test('a request made while the turn is being used is not forgotten', async () => {
  const pacer = createPacer({ gapMs: 2 });
  await pacer.turn(0);
  pacer.request(0);
  const next = pacer.turn(60_000);
  await vi.advanceTimersByTimeAsync(5);
  await expect(next).resolves.toBeUndefined();
});
