import { describe, expect, it } from 'vitest';
import { namePatterns, searchableName, termsWithPrefix, toSearchTerms, toTerms } from './search-words.ts';

describe('a name that is searched for', () => {
  it.each([
    ['María José', ['maria', 'jose']],
    ['ÑÚÑEZ  Pazmiño', ['nunez', 'pazmino']],
    ["D'Angelo-Güemes", ['d', 'angelo', 'guemes']],
    ['José JOSE josé', ['jose']],
    ['100% _ \\', ['100']],
    [' .-', []],
  ])('is known by its words, without accents and case: %s', (name, words) => {
    expect(toSearchTerms(name)).toEqual(words);
  });

  it('is told by how its words begin, never by what stands in them', () => {
    const name = searchableName(toSearchTerms('Ana María'));
    const matches = (query: string) =>
      namePatterns(toSearchTerms(query)).every((pattern) => name.includes(pattern.slice(1, -1)));
    expect(['ana', 'MAR', 'mar an', 'María Ana'].map(matches)).toEqual([true, true, true, true]);
    expect(['aria', 'anam', 'ana b'].map(matches)).toEqual([false, false, false]);
  });

  it('is said by each of its words and the others', () => {
    expect(toTerms(['maria', 'zambrano'])).toEqual([
      { ...termsWithPrefix('maria'), patterns: ['% zambrano%'] },
      { ...termsWithPrefix('zambrano'), patterns: ['% maria%'] },
    ]);
    expect(toTerms([])).toEqual([]);
  });

  it('lies between its beginning and the next', () => {
    const { termFrom, termBelow } = termsWithPrefix('mar');
    const isWithin = (word: string) => word >= termFrom && word < termBelow;
    expect(['mar', 'maria', 'marzo'].every(isWithin)).toBe(true);
    expect(['ma', 'mas', 'na'].some(isWithin)).toBe(false);
  });
});
