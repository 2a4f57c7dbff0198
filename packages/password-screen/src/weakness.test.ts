import { describe, expect, it } from 'vitest';
import { type FoundPattern, screenWeakness } from './weakness.ts';

function weak(...sequence: FoundPattern[]) {
  return screenWeakness({ score: 1, guesses: 1_000, sequence });
}

describe('a password', () => {
  it('is taken from the second grade on, and never without a grade', () => {
    const sequence = [{ pattern: 'bruteforce', token: 'x' }];
    expect(screenWeakness({ score: 2, guesses: 1e7, sequence })).toBeUndefined();
    expect(screenWeakness({ score: 1, guesses: 1e5, sequence })).toBe('short');
    expect(screenWeakness({ score: 4, guesses: Number.NaN, sequence })).toBe('short');
    expect(screenWeakness({ score: 0, guesses: 0, sequence: [] })).toBe('short');
  });

  it('is told of by its longest part', () => {
    const year = { pattern: 'regex', token: '2026' };
    expect(weak({ pattern: 'dictionary', dictionaryName: 'wikipedia-es-es', token: 'ecuador' }, year)).toBe(
      'word',
    );
    expect(weak({ pattern: 'dictionary', dictionaryName: 'passwords-common', token: 'abc' }, year)).toBe(
      'date',
    );
    expect(weak({ pattern: 'dictionary', dictionaryName: 'lastnames-es-es', token: 'quishpe' })).toBe('name');
    expect(weak({ pattern: 'dictionary', dictionaryName: 'passwords-common', token: 'futbol' })).toBe(
      'common',
    );
    expect(weak({ pattern: 'spatial', token: 'qwerty' })).toBe('keyboard');
    expect(weak({ pattern: 'repeat', token: 'aaaa' })).toBe('repeat');
    expect(weak({ pattern: 'wordSequence', dictionaryName: 'months-es-es', token: 'eneroferbero' })).toBe(
      'sequence',
    );
  });

  it('is told of by the person’s own data where it holds any, however short', () => {
    const own = { pattern: 'dictionary', dictionaryName: 'userInputs', token: 'ana' };
    expect(weak({ pattern: 'date', token: '31/12/1990' }, own)).toBe('personal');
  });
});
