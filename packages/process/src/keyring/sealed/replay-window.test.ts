import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReplayWindow } from './replay-window.ts';

it('takes each number once, in whatever order they come within the window', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4_000 })), (numbers) => {
      const window = new ReplayWindow();
      const taken = numbers.filter((number) => window.take(number));
      expect(taken).toEqual([...new Set(numbers)]);
    }),
  );
});

it('takes nothing twice, however far the numbers jump', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 48 - 1 })), (numbers) => {
      const window = new ReplayWindow();
      const taken = [...numbers, ...numbers].filter((number) => window.take(number));
      expect(new Set(taken).size).toBe(taken.length);
    }),
  );
});

it('takes no number that lies further back than the window', () => {
  const window = new ReplayWindow();
  expect([5_000, 904, 905, 5_000].map((number) => window.take(number))).toEqual([true, false, true, false]);
});
