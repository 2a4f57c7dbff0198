import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

const caller = (key: string) => [{ key, share: 1 }];

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
  const [greedy, other] = [budget.of(caller('greedy')), budget.of(caller('other'))];
  greedy.take(40);
  expect(codeOf(() => greedy.take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => budget.of(caller('greedy')).take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => other.take(40))).toBe('taken');
  greedy.give(10);
  expect(codeOf(() => greedy.take(10))).toBe('taken');
});

test('only when all together have used up the room a call is SERVICE_UNAVAILABLE', () => {
  const budget = createByteBudget({ maxBytes: 100, maxBytesPerCaller: 40 });
  budget.of(caller('a')).take(40);
  budget.of(caller('b')).take(40);
  expect(codeOf(() => budget.of(caller('c')).take(21))).toBe('SERVICE_UNAVAILABLE');
  expect(codeOf(() => budget.of(caller('c')).take(20))).toBe('taken');
  budget.of(caller('a')).give(40);
  expect(codeOf(() => budget.of(caller('d')).take(40))).toBe('taken');
});

test('what was refused is not counted', () => {
  const budget = createByteBudget({ maxBytes: 100, maxBytesPerCaller: 40 });
  expect(codeOf(() => budget.of(caller('a')).take(41))).toBe('RATE_LIMITED');
  expect(codeOf(() => budget.of(caller('a')).take(40))).toBe('taken');
});

test('a wider network has its times the part of one address, over all of its addresses', () => {
  const budget = createByteBudget({ maxBytes: 1_000, maxBytesPerCaller: 40 });
  const address = (key: string) => budget.of([...caller(key), { key: 'site', share: 4 }]);
  for (const key of ['a', 'b', 'c', 'd']) address(key).take(40);
  expect(codeOf(() => address('e').take(1))).toBe('RATE_LIMITED');
  address('a').give(40);
  expect(codeOf(() => address('e').take(40))).toBe('taken');
});
