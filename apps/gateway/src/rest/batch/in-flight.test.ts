import { expect, test } from 'vitest';
import { admit } from './in-flight.ts';

test('a line waits as long as the limit says, and again where others were faster', async () => {
  const waits = [40_000, 60_000, 0];
  const paused: number[] = [];
  await admit({
    waitMs: async () => waits.shift() ?? -1,
    stop: new AbortController().signal,
    pause: async (ms) => void paused.push(ms),
  });
  expect(paused).toEqual([40_000, 60_000]);
  expect(waits).toEqual([]);
});

test('a wait ends with its batch', async () => {
  const stop = new AbortController();
  let counted = 0;
  const admitted = admit({
    waitMs: async () => {
      counted += 1;
      return 3_600_000;
    },
    stop: stop.signal,
  });
  await new Promise(setImmediate);
  stop.abort();
  await admitted;
  expect(counted).toBe(1);
});
