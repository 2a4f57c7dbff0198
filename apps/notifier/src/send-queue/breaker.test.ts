import { describe, expect, it } from 'vitest';
import { type BreakerState, countAllowedAttempts, createBreaker, nextBreakerState } from './breaker.ts';

const policy = { failures: 3, firstPauseMs: 1_000, longestPauseMs: 5_000 };

/** The state after failures at these moments. */
const afterAll = (...momentsMs: number[]) =>
  momentsMs.reduce<BreakerState | undefined>(
    (state, nowMs) => nextBreakerState(state, { nowMs, policy }),
    undefined,
  );

describe('a destination', () => {
  it('is used freely until it has failed three times in a row', () => {
    expect(countAllowedAttempts(undefined, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(countAllowedAttempts(afterAll(0, 0), 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is then left alone for a second, and gets one probe after it', () => {
    const state = afterAll(0, 0, 100);
    expect(countAllowedAttempts(state, 100)).toBe(0);
    expect(countAllowedAttempts(state, 1_099)).toBe(0);
    expect(countAllowedAttempts(state, 1_100)).toBe(1);
    expect(countAllowedAttempts(state, 1_000_000)).toBe(1);
  });

  it('is left alone for twice as long after each probe that fails, up to a bound', () => {
    const pauses: number[] = [];
    let state = afterAll(0, 0, 0);
    for (let probe = 0; probe < 5; probe++) {
      const startMs = state?.pausedUntilMs ?? 0;
      state = nextBreakerState(state, { nowMs: startMs, policy });
      pauses.push((state.pausedUntilMs ?? 0) - startMs);
    }
    expect(pauses).toEqual([2_000, 4_000, 5_000, 5_000, 5_000]);
  });

  it('is not left alone for longer because of attempts from before the pause', () => {
    const state = afterAll(0, 0, 0);
    expect(nextBreakerState(state, { nowMs: 999, policy })).toBe(state);
  });
});

describe('createBreaker', () => {
  const setUp = (max = 10) => {
    const clock = { nowMs: 0 };
    const breaker = createBreaker({ policy, nowMs: () => clock.nowMs, max });
    const fail = (destination: string, times = policy.failures) =>
      Array.from({ length: times }, () => breaker.failed(destination));
    return { breaker, clock, fail };
  };

  it('says when a pause begins and when an answer ends it', () => {
    const { breaker, fail } = setUp();
    expect(fail('a', 5)).toEqual([false, false, true, false, false]);
    expect(breaker.answered('a')).toBe(true);
    expect(breaker.answered('a')).toBe(false);
    expect(breaker.allowed('a')).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts failures in a row only', () => {
    const { breaker, fail } = setUp();
    fail('a', 2);
    breaker.answered('a');
    expect(fail('a', 2)).toEqual([false, false]);
    expect(breaker.allowed('a')).toBe(Number.POSITIVE_INFINITY);
  });

  it('keeps destinations apart and names those that may not be used freely', () => {
    const { breaker, clock, fail } = setUp();
    fail('a');
    fail('b', 1);
    expect(breaker.restricted()).toEqual([{ destination: 'a', allowed: 0 }]);
    clock.nowMs = 1_000;
    expect(breaker.restricted()).toEqual([{ destination: 'a', allowed: 1 }]);
    expect(breaker.allowed('b')).toBe(Number.POSITIVE_INFINITY);
  });

  it('remembers a bounded number, and forgets the one that failed longest ago', () => {
    const { breaker, fail } = setUp(2);
    for (const destination of ['a', 'b', 'a', 'c']) fail(destination);
    expect(breaker.restricted().map(({ destination }) => destination)).toEqual(['a', 'c']);
  });
});
