import { describe, expect, it } from 'vitest';
import { noFaults, sandboxFaults } from './sandbox-faults.ts';

const outcomes = (identificationNumber: string) =>
  [0, 1, 2, 3, 4].map(
    (earlierFailures) => sandboxFaults({ identificationNumber, earlierFailures }) ?? 'issues',
  );

describe('the sandbox of generation', () => {
  const fails = 'KEY_GENERATION_FAILED';
  it.each([
    ['2450001108', [fails, fails, fails, fails, fails]],
    ['2450001207', [fails, 'issues', 'issues', 'issues', 'issues']],
    ['2450001306', [fails, fails, 'issues', 'issues', 'issues']],
    ['2450001405', [fails, fails, fails, 'issues', 'issues']],
    ['1710034065', ['issues', 'issues', 'issues', 'issues', 'issues']],
    ['constructor', ['issues', 'issues', 'issues', 'issues', 'issues']],
  ])('for %s', (identificationNumber, expected) => {
    expect(outcomes(identificationNumber)).toEqual(expected);
  });

  it('is nothing outside the sandbox', () => {
    expect(noFaults({ identificationNumber: '2450001108', earlierFailures: 0 })).toBeUndefined();
  });
});
