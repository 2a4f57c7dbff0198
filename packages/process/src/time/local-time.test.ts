import { dateTimePattern } from '@rubrica/contracts/shared/date-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLocalDate, formatLocalDateTime, formatTimestamp, parseDateTime } from './local-time.ts';
import { isUuidv7, uuidv7 } from './uuidv7.ts';

const guayaquil = 'America/Guayaquil';
const instant = new Date('2026-11-21T00:22:40.007Z');

describe('local time', () => {
  it('is written in the zone that is asked for', () => {
    expect(formatTimestamp(instant, guayaquil)).toBe('2026-11-20 19:22:40');
    expect(formatLocalDateTime(instant, guayaquil)).toBe('2026-11-20T19:22:40.007');
    expect(formatLocalDate(instant, guayaquil)).toBe('2026-11-20');
    expect(formatTimestamp(instant, 'Asia/Kathmandu')).toBe('2026-11-21 06:07:40');
    expect(formatTimestamp(instant, 'UTC')).toBe('2026-11-21 00:22:40');
  });

  it('follows the clocks of zones that change them', () => {
    expect(formatTimestamp(new Date('2026-03-29T00:59:59Z'), 'Europe/Madrid')).toBe('2026-03-29 01:59:59');
    expect(formatTimestamp(new Date('2026-03-29T01:00:00Z'), 'Europe/Madrid')).toBe('2026-03-29 03:00:00');
  });

  it.each([
    ['2026-11-20', '2026-11-20T05:00:00.000Z'],
    ['2026-11-20 19:22:40', '2026-11-21T00:22:40.000Z'],
    ['2026-11-20T19:22:40.007', '2026-11-21T00:22:40.007Z'],
    ['2026-11-20T19:22:40Z', '2026-11-20T19:22:40.000Z'],
    ['2026-11-20T19:22:40+02:00', '2026-11-20T17:22:40.000Z'],
    ['2028-02-29', '2028-02-29T05:00:00.000Z'],
    ['2030-12-31T00:00:00.0000000-05:00', '2030-12-31T05:00:00.000Z'],
    ['2030-12-31T05:00:00.123456', '2030-12-31T10:00:00.123Z'],
    ['2030-12-31T05:00:00.123456789Z', '2030-12-31T05:00:00.123Z'],
    ['2030-12-31T05:00:00.000+0000', '2030-12-31T05:00:00.000Z'],
    ['2030-12-31T00:00:00-0500', '2030-12-31T05:00:00.000Z'],
    ['2030-12-31T00:00:00-05', '2030-12-31T05:00:00.000Z'],
    ['2030-12-31t05:00:00z', '2030-12-31T05:00:00.000Z'],
    ['2030-12-31 00:00:00.000000', '2030-12-31T05:00:00.000Z'],
    ['2030-12-31T00:00:00,5-05:00', '2030-12-31T05:00:00.500Z'],
    ['2030-12-31T00:00-05:00', '2030-12-31T05:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseDateTime(text, guayaquil)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    '2026-02-29',
    '2026-13-01',
    '2026-11-20 25:00:00',
    '20-11-2026',
    '2026-11-20T19:22:40+99:00',
    '1e9',
  ])('does not read %j', (text) => {
    expect(parseDateTime(text, guayaquil)).toBeUndefined();
  });

  it('reads whatever the pattern of the interface takes, but for days that the calendar has not', () => {
    fc.assert(
      fc.property(fc.stringMatching(dateTimePattern), (text) => {
        const day = text.slice(0, 10);
        const exists = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
        expect(parseDateTime(text, guayaquil) instanceof Date, text).toBe(exists);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads every spelling of an instant as that instant, to the millisecond', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    const instants = fc.date({
      min: new Date('1970-01-02'),
      max: new Date('2099-12-30'),
      noInvalidDate: true,
    });
    const spelling = fc.record({
      instant: instants,
      separator: fc.constantFrom('T', 't', ' '),
      point: fc.constantFrom('.', ','),
      more: fc.stringMatching(/^\d{0,6}$/),
      offsetMinutes: fc.constantFrom(0, -300, 330, -60),
      form: fc.constantFrom('colon', 'digits', 'hours', 'Z', 'z'),
    });
    fc.assert(
      fc.property(spelling, ({ instant, separator, point, more, offsetMinutes, form }) => {
        const minutes = form === 'Z' || form === 'z' ? 0 : form === 'hours' ? -300 : offsetMinutes;
        const local = new Date(instant.getTime() + minutes * 60_000).toISOString();
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const sign = minutes < 0 ? '-' : '+';
        const zones = {
          colon: `${sign}${two(hours)}:${two(rest)}`,
          digits: `${sign}${two(hours)}${two(rest)}`,
          hours: `${sign}${two(hours)}`,
          Z: 'Z',
          z: 'z',
        };
        const text = `${local.slice(0, 10)}${separator}${local.slice(11, 19)}${point}${local.slice(20, 23)}${more}${zones[form]}`;
        expect(parseDateTime(text, guayaquil), text).toEqual(instant);
      }),
    );
  });

  it('reads back what it wrote, on both sides of a change of clocks', () => {
    for (const iso of ['2026-03-28T23:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-10-25T03:30:00.000Z']) {
      const text = formatLocalDateTime(new Date(iso), 'Europe/Madrid');
      expect(parseDateTime(text, 'Europe/Madrid')?.toISOString()).toBe(iso);
    }
  });
});

describe('uuidv7', () => {
  it('has the form of RFC 9562 and sorts by its time', () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => uuidv7(1_700_000_000_000 + index));
    expect(ids.every(isUuidv7)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids[0]?.slice(0, 13)).toBe('018bcfe5-6800');
  });

  it('does not repeat within a millisecond', () => {
    expect(new Set(Array.from({ length: 5_000 }, () => uuidv7(1))).size).toBe(5_000);
  });
});
