import { expect, it } from 'vitest';
import { createLineLimit } from './line-limit.ts';

it('allows so many lines in each stretch of time', () => {
  let now = 0;
  const mayWrite = createLineLimit({ most: 2, everyMs: 1_000, nowMs: () => now });
  const ask = () => [mayWrite(), mayWrite(), mayWrite()];
  expect(ask()).toEqual([true, true, false]);
  now = 999;
  expect(ask()).toEqual([false, false, false]);
  now = 1_000;
  expect(ask()).toEqual([true, true, false]);
});
