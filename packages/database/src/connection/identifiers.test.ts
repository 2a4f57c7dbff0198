import { expect, test } from 'vitest';
import { quoteIdentifier } from './identifiers.ts';

test('plain lower-case names are quoted', () => {
  expect(quoteIdentifier('rubrica_intake')).toBe('"rubrica_intake"');
});

test.each(['', 'a"b', 'a b', 'a.b', '1a', 'A', 'a;', 'a'.repeat(64)])('%j is refused', (name) => {
  expect(() => quoteIdentifier(name)).toThrow(TypeError);
});
