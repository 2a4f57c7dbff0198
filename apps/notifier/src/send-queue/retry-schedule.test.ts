import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { nextDelayMs, readRetryAfterMs, webhookSchedule } from './retry-schedule.ts';

describe('webhookSchedule', () => {
  it('has ten attempts: at once, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
    expect(webhookSchedule.delaysMs).toEqual([
      0,
      5_000,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      14 * HOUR_MS,
      20 * HOUR_MS,
      DAY_MS,
    ]);
  });
});

describe('nextDelayMs', () => {
  it('waits 20 % less to 20 % more than the schedule says', () => {
    expect(nextDelayMs(webhookSchedule, 1, { random: 0 })).toBe(4_000);
    expect(nextDelayMs(webhookSchedule, 1, { random: 0.5 })).toBe(5_000);
    expect(nextDelayMs(webhookSchedule, 2, { random: 0.999999 })).toBe(6 * MINUTE_MS);
  });

  it('ends after the tenth attempt', () => {
    expect(nextDelayMs(webhookSchedule, 9, { random: 0.5 })).toBe(DAY_MS);
    expect(nextDelayMs(webhookSchedule, 10, { random: 0.5 })).toBeUndefined();
  });

  it('waits at least as long as Retry-After asks', () => {
    for (const random of [0, 0.5, 0.99]) {
      expect(nextDelayMs(webhookSchedule, 1, { random, retryAfterMs: 60_000 })).toBeGreaterThanOrEqual(
        60_000,
      );
    }
  });

  it('is not hurried by Retry-After', () => {
    expect(nextDelayMs(webhookSchedule, 2, { random: 0.5, retryAfterMs: 1_000 })).toBe(5 * MINUTE_MS);
  });

  it('waits twice as long for a receiver that cannot keep up, and never longer than a day', () => {
    const delayOf = (made: number) => nextDelayMs(webhookSchedule, made, { random: 0.5, overloaded: true });
    expect(delayOf(1)).toBe(10_000);
    expect(delayOf(2)).toBe(10 * MINUTE_MS);
    expect(delayOf(8)).toBe(DAY_MS);
    expect(delayOf(9)).toBe(DAY_MS);
    expect(delayOf(10)).toBeUndefined();
  });

  it('grants Retry-After a day at most', () => {
    expect(nextDelayMs(webhookSchedule, 1, { random: 0, retryAfterMs: 1_000 * HOUR_MS })).toBe(DAY_MS);
  });
});

describe('readRetryAfterMs', () => {
  const now = new Date('2026-11-20T10:00:00Z');

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Fri, 20 Nov 2026 10:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ])('reads %j as %d ms', (header, expected) => {
    expect(readRetryAfterMs(header, now)).toBe(expected);
  });

  it.each([undefined, '', '-5', '1.5', 'soon', '99999999999999999999', 'Foo, bar'])(
    'ignores %j',
    (header) => {
      expect(readRetryAfterMs(header, now)).toBeUndefined();
    },
  );
});
