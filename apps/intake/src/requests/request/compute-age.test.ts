import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeAge } from './compute-age.ts';

describe('an age', () => {
  it.each([
    ['1961-11-21', '2026-11-21', 65],
    ['1961-11-22', '2026-11-21', 64],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-29', 20],
  ])('of a person born on %s is on %s %i years', (birthDate, today, age) => {
    expect(computeAge(birthDate, today)).toBe(age);
  });

  it('is the number of birthdays since, where a birthday of 29 February falls on 1 March in other years', () => {
    const day = fc.date({
      min: new Date('1880-01-01'),
      max: new Date('2100-12-31'),
      noInvalidDate: true,
    });
    const dayOf = (date: Date) => date.toISOString().slice(0, 10);
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [birthDate = '', today = ''] = [dayOf(one), dayOf(other)].toSorted();
        const [year = 0, month = 0, date = 0] = birthDate.split('-').map(Number);
        let birthdays = 0;
        // 29 February of a year without one is by the calendar its 1 March.
        while (dayOf(new Date(Date.UTC(year + birthdays + 1, month - 1, date))) <= today) birthdays += 1;
        expect(computeAge(birthDate, today)).toBe(birthdays);
      }),
      { numRuns: 2_000, examples: [[new Date('1960-02-29'), new Date('2025-02-28')]] },
    );
  });
});
