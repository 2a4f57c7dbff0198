import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { computeReminderTimes } from './claim-reminders.ts';

const from = new Date('2026-11-21T09:00:00.000Z');
function daysOf(windowDays: number) {
  return computeReminderTimes({ from, until: new Date(from.getTime() + windowDays * DAY_MS) }).map(
    (at) => (at.getTime() - from.getTime()) / DAY_MS,
  );
}

describe('the reminders of a claim window', () => {
  it.each([
    [50, [7, 25, 43, 49]],
    [14, [7, 13]],
    [8, [1, 4, 7]],
    [2, [1]],
    [1, []],
  ])('of %i days come after %j days', (windowDays, days) => expect(daysOf(windowDays)).toEqual(days));
});
