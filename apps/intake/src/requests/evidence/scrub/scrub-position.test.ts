import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { advancePosition, lowestEvidenceId, type ScrubPosition } from './scrub-position.ts';

const beganAt = new Date('2026-11-01T00:00:00Z');
const start: ScrubPosition = { lastId: lowestEvidenceId, beganAt, dueAt: beganAt, read: 0 };
const days = 10;
function onDay(day: number): Date {
  return new Date(beganAt.getTime() + day * DAY_MS);
}

describe('the scrub', () => {
  it('spreads what is left evenly over what is left of the round', () => {
    let place = start;
    for (let left = 1_000 - 20; left > 0; left -= 20)
      place = advancePosition(place, { lastId: 'x', read: 20, left }, { now: place.dueAt, days });
    expect(place).toMatchObject({ read: 980, lastId: 'x' });
    expect(place.dueAt.getTime()).toBeCloseTo(onDay(9.8).getTime(), -3);
  });

  it('reads what it missed without a pause', () => {
    const late = { now: onDay(5), days };
    const place = advancePosition(start, { lastId: 'x', read: 10, left: 90 }, late);
    expect(place.dueAt).toEqual(onDay(1));
    const overdue = { ...place, dueAt: onDay(11) };
    const batch = { lastId: 'y', read: 10, left: 80 };
    expect(advancePosition(overdue, batch, { now: onDay(15), days }).dueAt).toEqual(onDay(11));
  });

  it('begins again when the round is over and not before, at the first evidence', () => {
    const rest = { lastId: 'x', read: 3, left: 0 };
    expect(advancePosition(start, rest, { now: onDay(2), days })).toEqual({
      lastId: lowestEvidenceId,
      beganAt: onDay(10),
      dueAt: onDay(10),
      read: 0,
    });
    const nothing = { lastId: undefined, read: 0, left: 5 };
    expect(advancePosition(start, nothing, { now: onDay(12), days }).dueAt).toEqual(onDay(12));
  });
});
