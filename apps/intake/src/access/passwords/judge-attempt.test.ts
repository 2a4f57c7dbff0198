import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { type AttemptRule, attemptRules, computeDelayMs, judgeAttempt, type Tally } from './judge-attempt.ts';

const none: Tally = { count: 0, endsAtMs: 0, waitsUntilMs: 0 };

/** Tries at these moments, one after the other. @returns of each how long it is told to wait; 0 where it is looked at */
function tries(rule: AttemptRule, moments: readonly number[]): number[] {
  let tally = none;
  return moments.map((nowMs) => {
    const judged = judgeAttempt(tally, rule, nowMs);
    if ('waitMs' in judged) return judged.waitMs;
    tally = judged.tally;
    return 0;
  });
}

const start = 1_000_000;
const atOnce = (times: number) => Array.from({ length: times }, () => start);

describe('a row that says more than its rule', () => {
  it.each([
    ['pair', 15 * MINUTE_MS],
    ['address', 10_000],
    ['account', 0],
  ] as const)('has nobody wait: %s', (kind, longestMs) => {
    const forged = { count: 1, endsAtMs: start * 2, waitsUntilMs: start + longestMs + 1 };
    expect(judgeAttempt(forged, attemptRules[kind], start)).toHaveProperty('tally');
    const own = { ...forged, waitsUntilMs: start + longestMs };
    expect('waitMs' in judgeAttempt(own, attemptRules[kind], start)).toBe(longestMs > 0);
  });
});

it.each([Number.POSITIVE_INFINITY, start + 30 * MINUTE_MS + 1])(
  'a row that counts for longer than any rule counts no more: to %d',
  (endsAtMs) => {
    const forged = { count: 2_147_483_647, endsAtMs, waitsUntilMs: 0 };
    const judged = judgeAttempt(forged, attemptRules.account, start);
    expect(judged).toEqual({ tally: { count: 1, endsAtMs: start + 15 * MINUTE_MS, waitsUntilMs: 0 } });
    const own = { ...forged, count: 3, endsAtMs: start + 30 * MINUTE_MS };
    expect(judgeAttempt(own, attemptRules.account, start)).toMatchObject({ tally: { count: 4 } });
  },
);

describe('passwords of one account from one address', () => {
  it('are looked at ten times, and then not before half a minute', () => {
    expect(tries(attemptRules.pair, atOnce(12))).toEqual([...Array(10).fill(0), 30_000, 30_000]);
    expect(tries(attemptRules.pair, [...atOnce(10), start + 29_999, start + 30_000])).toEqual([
      ...Array(10).fill(0),
      1,
      0,
    ]);
  });

  it('wait twice as long after each further one, up to 15 minutes', () => {
    let [tally, nowMs] = [none, start];
    const waits: number[] = [];
    for (let guess = 0; guess < 20; guess += 1) {
      const judged = judgeAttempt(tally, attemptRules.pair, nowMs);
      if (!('tally' in judged)) throw new Error('it waited as long as it was told');
      tally = judged.tally;
      if (tally.waitsUntilMs > 0) waits.push(tally.waitsUntilMs - nowMs);
      nowMs = Math.max(nowMs, tally.waitsUntilMs);
    }
    const seconds = waits.map((ms) => ms / 1000);
    expect(seconds).toEqual([30, 60, 120, 240, 480, 900, 900, 900, 900, 900, 900]);
  });

  it('are counted for 15 minutes from the first, and a wait that was earned for 15 more', () => {
    const nine = atOnce(9);
    expect(tries(attemptRules.pair, [...nine, start + 15 * MINUTE_MS, start + 15 * MINUTE_MS])).toEqual(
      Array(11).fill(0),
    );
    const waited = start + 15.5 * MINUTE_MS;
    expect(tries(attemptRules.pair, [...atOnce(10), waited - 1, waited - 1])).toEqual([
      ...Array(11).fill(0),
      60_000,
    ]);
    expect(tries(attemptRules.pair, [...atOnce(10), waited, waited])).toEqual(Array(12).fill(0));
  });

  it('are no reason to wait longer while they are not looked at', () => {
    const refused = Array.from({ length: 100 }, (_, n) => start + n);
    const last = tries(attemptRules.pair, [...atOnce(10), ...refused, start + 30_000]).at(-1);
    expect(last).toBe(0);
  });
});

it('an address is slowed from 200 on: one every ten seconds', () => {
  const waits = tries(attemptRules.address, [...atOnce(201), start + 10_000, start + 10_001]);
  expect(waits.slice(0, 200)).toEqual(Array(200).fill(0));
  expect(waits.slice(200)).toEqual([10_000, 0, 9_999]);
});

it('over all addresses an account never waits, and is delayed by two seconds at most', () => {
  expect(new Set(tries(attemptRules.account, atOnce(5_000)))).toEqual(new Set([0]));
  const delays = [1, 10, 11, 20, 30, 31, 5_000].map((count) => computeDelayMs({ ...none, count }));
  expect(delays).toEqual([0, 0, 100, 1_000, 2_000, 2_000, 2_000]);
});
