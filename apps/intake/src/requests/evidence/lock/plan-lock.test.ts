import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { type LockState, planLock, toLockDate } from './plan-lock.ts';

const now = new Date('2026-11-24T12:00:00Z');
const tomorrow = new Date('2026-11-25T12:00:00Z');
const yesterday = new Date('2026-11-23T12:00:00Z');
const settled: LockState = {
  isKept: true,
  endsAt: tomorrow,
  isOpen: false,
  isUnderLegalHold: false,
  retainUntil: tomorrow,
  isHeld: false,
};
const nothing = { isDestroyed: false, lookAt: null };

function planned(changes: Partial<LockState>, mode: 'none' | 'governance' = 'governance') {
  return planLock({ ...settled, ...changes }, { now, mode });
}

describe('the lock of an object whose evidence is kept', () => {
  it('is left alone where it is as it should be, or holds for longer', () => {
    expect(planned({})).toEqual(nothing);
    expect(planned({ endsAt: new Date('2026-11-24T18:00:00Z') })).toEqual(nothing);
  });

  it('gets the end of the retention once it is known, and where it moved to later', () => {
    expect(planned({ retainUntil: null })).toEqual({ ...nothing, retainUntil: tomorrow });
    const later = new Date('2027-01-01T00:00:00Z');
    expect(planned({ endsAt: later })).toEqual({ ...nothing, retainUntil: later });
    expect(planned({ endsAt: null, isOpen: true, retainUntil: null })).toEqual({
      ...nothing,
      lookAt: new Date(now.getTime() + HOUR_MS),
    });
  });

  it('gets the end of one who names it, and is looked at again as long as that of another is not known', () => {
    expect(planned({ isOpen: true, retainUntil: null })).toEqual({
      ...nothing,
      retainUntil: tomorrow,
      lookAt: new Date(now.getTime() + HOUR_MS),
    });
  });

  it('gets no date that is over, and none without a mode', () => {
    expect(planned({ endsAt: yesterday, retainUntil: null })).toEqual(nothing);
    expect(planned({ retainUntil: null }, 'none')).toEqual(nothing);
    expect(planned({ endsAt: null, isOpen: true, retainUntil: null }, 'none')).toEqual(nothing);
  });

  it('follows the legal hold, also without a mode and after the date', () => {
    expect(planned({ isUnderLegalHold: true, endsAt: yesterday }, 'none')).toEqual({
      ...nothing,
      hold: true,
    });
    expect(planned({ isHeld: true })).toEqual({ ...nothing, hold: false });
    expect(planned({ isHeld: true, isUnderLegalHold: true })).toEqual(nothing);
  });
});

describe('the lock of an object whose evidence was erased', () => {
  it('lets it be destroyed at its end and not before', () => {
    expect(planned({ isKept: false })).toEqual({ isDestroyed: false, lookAt: tomorrow });
    expect(planned({ isKept: false, retainUntil: yesterday })).toEqual({ isDestroyed: true, lookAt: null });
    expect(planned({ isKept: false, retainUntil: null })).toEqual({ isDestroyed: true, lookAt: null });
  });

  it('loses a legal hold that was lifted before', () => {
    expect(planned({ isKept: false, isHeld: true, retainUntil: yesterday })).toEqual({
      hold: false,
      isDestroyed: true,
      lookAt: null,
    });
  });
});

it('a date is of whole seconds, not before the end, and in the future', () => {
  expect(toLockDate(new Date('2026-11-25T12:00:00.001Z'), now)).toEqual(new Date('2026-11-25T12:00:01Z'));
  expect(toLockDate(tomorrow, now)).toEqual(tomorrow);
  expect(toLockDate(new Date('2026-11-24T12:00:05Z'), now)).toBeNull();
  expect(toLockDate(null, now)).toBeNull();
});

it('no date is later than thirty years, which nobody could take back', () => {
  expect(toLockDate(new Date('9999-12-31T00:00:00Z'), now)).toEqual(new Date('2056-01-01T00:00:00Z'));
});
