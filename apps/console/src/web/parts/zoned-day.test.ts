import { expect, test } from 'vitest';
import { getStartOfDay } from './zoned-day.ts';

test('a day begins when it begins in the time zone of the service', () => {
  expect(getStartOfDay('2026-11-23', 'America/Guayaquil')).toBe('2026-11-23T05:00:00.000Z');
  expect(getStartOfDay('2026-11-23', 'America/Guayaquil', 1)).toBe('2026-11-24T05:00:00.000Z');
});

test('a day on which the clocks change begins by the offset of its own midnight', () => {
  expect(getStartOfDay('2026-03-29', 'Europe/Madrid')).toBe('2026-03-28T23:00:00.000Z');
  expect(getStartOfDay('2026-03-29', 'Europe/Madrid', 1)).toBe('2026-03-29T22:00:00.000Z');
});

test('what is no day is no filter', () => {
  expect([undefined, '', '23/11/2026', '2026-13-40'].map((day) => getStartOfDay(day, 'UTC'))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});
