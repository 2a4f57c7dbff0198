import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { firstReminder, judgeReminders } from './reminder-rule.ts';

const requestId = '019aa1b2-0000-7000-8000-0000c0000000';
const notBefore = new Date('2026-12-01T15:00:00Z');
const lasting = (days: number, certificateAdvancedDays = 0) => ({
  ...{ requestId, notBefore, certificateAdvancedDays },
  notAfter: new Date(notBefore.getTime() + days * DAY_MS - 1_000),
});
const year = lasting(365);
const before = (days: number, certificate = year) => new Date(certificate.notAfter.getTime() - days * DAY_MS);
const judge = (now: Date, lookedAt: Date, certificate = year, spreadMs = 0) =>
  judgeReminders(certificate, { now, lookedAt, spreadMs });
const minutes = (at: Date, count: number) => new Date(at.getTime() + count * 60_000);

describe('the reminders of the end of a certificate', () => {
  it.each([
    ['a year', 365, 30],
    ['a month of 31 days', 31, 30],
    ['a month of 30 days', 30, 15],
    ['a month of 28 days', 28, 15],
    ['a week', 7, 5],
  ])('of %s begin after its issuance', (_what, days, first) => {
    const certificate = lasting(days);
    expect(firstReminder(certificate, 0)).toEqual(before(first, certificate));
  });

  it('are none where it ends within a day', () => {
    expect(firstReminder(lasting(1), 0)).toBeNull();
  });

  it.each([
    [30, 30, 15],
    [15, 15, 5],
    [5, 5, 1],
    [1, 1, null],
  ])('%i days before go once, and lead to the next', (days, daysLeft, next) => {
    const nextAt = next === null ? null : before(next);
    const tells = days === 30 || days === 5;
    const at = before(days);
    expect(judge(at, at)).toEqual({ reminds: true, tells, daysLeft, nextAt });
    expect(judge(minutes(at, -1), at)).toMatchObject({ reminds: false, tells: false, nextAt: at });
    if (nextAt !== null)
      expect(judge(minutes(at, 1), nextAt)).toMatchObject({ reminds: false, tells: false });
  });

  it('that are due at once go as one: the latest of each kind', () => {
    expect(judge(before(10), before(30))).toMatchObject({ reminds: true, tells: true, daysLeft: 10 });
    expect(judge(before(14), before(15))).toMatchObject({ reminds: true, tells: false, daysLeft: 14 });
    expect(judge(before(0.5), before(30))).toEqual({ reminds: true, tells: true, daysLeft: 1, nextAt: null });
  });

  it('are none once the end has passed', () => {
    for (const after of [0, 1, 400])
      expect(judge(before(-after), before(30))).toMatchObject({ reminds: false, tells: false, nextAt: null });
  });

  it('go by the clock of the request, which the sandbox has advanced', () => {
    const advanced = lasting(365, 335);
    expect(firstReminder(advanced, 0)).toEqual(minutes(notBefore, -1 / 60));
    expect(judge(minutes(notBefore, 1), notBefore, advanced)).toMatchObject({ reminds: true, daysLeft: 30 });
  });

  it('are spread, each certificate at its own place, and before the end in any case', () => {
    const spreadMs = 23 * HOUR_MS;
    // c0000000 is three quarters of all there are.
    expect(firstReminder(year, spreadMs)).toEqual(new Date(before(30).getTime() + 0.75 * spreadMs));
    const last = { ...year, requestId: requestId.replace('c0000000', 'ffffffff') };
    const { nextAt } = judge(before(4), before(5), last, spreadMs);
    expect(nextAt?.getTime()).toBeLessThan(year.notAfter.getTime());
  });

  it.each([
    ['wider', 0, 20 * HOUR_MS],
    ['narrower', 20 * HOUR_MS, 0],
  ])('go once where the spread becomes %s between two looks', (_what, formerMs, spreadMs) => {
    const lookedAt = firstReminder(year, formerMs) ?? year.notAfter;
    let next: Date | null = lookedAt;
    let count = 0;
    for (let now = before(31); now < year.notAfter; now = minutes(now, 60)) {
      if (next === null || next > now) continue;
      const { reminds, nextAt } = judge(now, next, year, spreadMs);
      count += reminds ? 1 : 0;
      next = nextAt;
    }
    expect(count).toBe(4);
  });
});
