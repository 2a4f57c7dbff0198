import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

function codeOf(work: () => void) {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'taken';
}

test('a caller who has its part is RATE_LIMITED, and the others notice nothing', () => {
  const budget = createByteBudget({ maxBytes: 100, maxBytesPerCaller: 40 });
  const [greedy, other] = [budget.of('greedy'), budget.of('other')];
  greedy.take(40);
  expect(codeOf(() => greedy.take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => budget.of('greedy').take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => other.take(40))).toBe('taken');
  greedy.give(10);
  expect(codeOf(() => greedy.take(10))).toBe('taken');
});

test('only when all together have used up the room a call is SERVICE_UNAVAILABLE', () => {
  const budget = createByteBudget({ maxBytes: 100, maxBytesPerCaller: 40 });
  budget.of('a').take(40);
  budget.of('b').take(40);
  expect(codeOf(() => budget.of('c').take(21))).toBe('SERVICE_UNAVAILABLE');
  expect(codeOf(() => budget.of('c').take(20))).toBe('taken');
  budget.of('a').give(40);
  expect(codeOf(() => budget.of('d').take(40))).toBe('taken');
});

test('what was refused is not counted', () => {
  const budget = createByteBudget({ maxBytes: 100, maxBytesPerCaller: 40 });
  expect(codeOf(() => budget.of('a').take(41))).toBe('RATE_LIMITED');
  expect(codeOf(() => budget.of('a').take(40))).toBe('taken');
});
