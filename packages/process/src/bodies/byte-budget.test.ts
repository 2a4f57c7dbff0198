import { expect, test } from 'vitest';
import { type ByteBudget, createByteBudget } from './byte-budget.ts';

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
  const budget = createByteBudget({ maxBytes: 200, maxBytesPerCaller: 40 });
  const [greedy, other] = [budget.of(caller('greedy')), budget.of(caller('other'))];
  greedy.take(40);
  expect(codeOf(() => greedy.take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => budget.of(caller('greedy')).take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => other.take(40))).toBe('taken');
  greedy.give(10);
  expect(codeOf(() => greedy.take(10))).toBe('taken');
});

test('two callers leave the last quarter to those who hold less than an eighth', () => {
  const budget = createByteBudget({ maxBytes: 160, maxBytesPerCaller: 80 });
  const [first, second, third] = ['first', 'second', 'third'].map((key) => budget.of(caller(key)));
  first?.take(80);
  second?.take(40);
  expect(codeOf(() => second?.take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => budget.of(caller('first')).take(1))).toBe('RATE_LIMITED');
  expect(codeOf(() => third?.take(20))).toBe('RATE_LIMITED');
  expect(codeOf(() => third?.take(19))).toBe('taken');
  first?.give(80);
  expect(codeOf(() => third?.take(60))).toBe('taken');
});

test('only when all together have used up the room a call is SERVICE_UNAVAILABLE', () => {
  const budget = createByteBudget({ maxBytes: 160, maxBytesPerCaller: 80 });
  budget.of(caller('a')).take(80);
  budget.of(caller('b')).take(40);
  budget.of(caller('c')).take(19);
  budget.of(caller('d')).take(19);
  expect(codeOf(() => budget.of(caller('e')).take(3))).toBe('SERVICE_UNAVAILABLE');
  expect(codeOf(() => budget.of(caller('e')).take(2))).toBe('taken');
  budget.of(caller('a')).give(80);
  expect(codeOf(() => budget.of(caller('f')).take(40))).toBe('taken');
});

/** A body in a budget that ends bodies, and why it was ended. */
function arrivingBody(budget: ByteBudget, key: string, bytes: number) {
  const allowance = budget.of(caller(key));
  let reason: string | undefined;
  const arrived = allowance.endWith(({ code }) => {
    allowance.give(bytes);
    reason = code;
  });
  const code = codeOf(() => allowance.take(bytes));
  return { allowance, arrived, code, reason: () => reason };
}

test('a body that finds no room ends the oldest of those that still arrive, and no more than it needs', () => {
  const budget = createByteBudget({ maxBytes: 160, maxBytesPerCaller: 20, endsOldest: true });
  const slow = Array.from({ length: 16 }, (_, at) => arrivingBody(budget, `slow ${at}`, 10));
  expect(arrivingBody(budget, 'prompt', 15).code).toBe('taken');
  expect(slow.map(({ reason }) => reason())).toEqual([
    ...['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
    ...Array(14).fill(undefined),
  ]);
});

test('a body that grows ends no younger one, and one that has arrived is not ended', () => {
  const budget = createByteBudget({ maxBytes: 160, maxBytesPerCaller: 80, endsOldest: true });
  const arrived = arrivingBody(budget, 'a', 80);
  arrived.arrived();
  const oldest = arrivingBody(budget, 'b', 10);
  const others = ['c', 'd', 'e', 'f', 'g', 'h', 'i'].map((key) => arrivingBody(budget, key, 10));
  expect(codeOf(() => oldest.allowance.take(5))).toBe('SERVICE_UNAVAILABLE');
  expect([arrived, oldest, ...others].map(({ reason }) => reason())).toEqual(Array(9).fill(undefined));
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
