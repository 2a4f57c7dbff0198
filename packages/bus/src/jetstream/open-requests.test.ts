import { describe, expect, it } from 'vitest';
import { createOpenPulls } from './open-requests.ts';

describe('standing requests', () => {
  it('are counted until each is settled, known or not', () => {
    const standing = createOpenPulls(60_000);
    const numbers = [standing.add(), standing.add(), standing.add()];
    expect(new Set(numbers).size).toBe(3);
    standing.settle(numbers[1]);
    expect(standing.size()).toBe(2);
    standing.settle();
    standing.settle('none of ours');
    expect(standing.size()).toBe(0);
    standing.settle();
    expect(standing.size()).toBe(0);
  });

  it('of a lost connection do not count, and their late answers are known as such', () => {
    const standing = createOpenPulls(60_000);
    const old = standing.add();
    standing.forgetAll();
    const fresh = standing.add();
    expect(standing.size()).toBe(1);
    expect(standing.isForgotten(old)).toBe(true);
    expect(standing.isForgotten(fresh)).toBe(false);
  });

  it('without an answer are forgotten when they are overdue', () => {
    const overdue = createOpenPulls(0);
    overdue.add();
    overdue.forgetOverdue();
    expect(overdue.size()).toBe(0);
    const young = createOpenPulls(60_000);
    young.add();
    young.forgetOverdue();
    expect(young.size()).toBe(1);
  });
});
