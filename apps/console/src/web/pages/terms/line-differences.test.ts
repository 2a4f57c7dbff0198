import { expect, test } from 'vitest';
import { compareLines } from './line-differences.ts';

const shown = (before: string, after: string) =>
  compareLines(before, after).map(
    ({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`,
  );

test('a changed line is taken out and put in, and the lines beside it stay', () => {
  expect(shown('a\nb\nc', 'a\nB\nc\nd')).toEqual([' a', '-b', '+B', ' c', '+d']);
});

test('both texts can be read out of the differences', () => {
  const [before, after] = ['1\n2\n3\n4\n5', '0\n2\n4\n5\n6'];
  const lines = shown(before, after);
  const without = (mark: string) =>
    lines.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1));
  expect(without('+').join('\n')).toBe(before);
  expect(without('-').join('\n')).toBe(after);
});
