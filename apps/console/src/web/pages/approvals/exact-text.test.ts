import { describe, expect, it } from 'vitest';
import { formatExactText } from './exact-text.ts';

describe('a value of a proposed change', () => {
  it.each<[unknown, string]>([
    ['Compañía Ñandú S.A.', 'Compañía Ñandú S.A.'],
    ['two\nlines\n', 'two\nlines\n'],
    [['a', 'b'], 'a, b'],
    [5, '5'],
    ['5', '"5"'],
    [null, 'null'],
    ['null', '"null"'],
    ['', '""'],
    [' padded', '" padded"'],
    [['a, b'], '["a, b"]'],
    [[], '[]'],
    [{}, '{}'],
    [[{ a: 1 }], '[{"a":1}]'],
    ['{}', '"{}"'],
    // A viewer that reads "admin" the other way round, and a letter that nobody sees.
    ['\u202enimda', '"\\u202enimda"'],
    ['ad\u200bmin', '"ad\\u200bmin"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    ['\u0007', '"\\u0007"'],
  ])('%j is shown as %s', (value, text) => {
    expect(formatExactText(value)).toBe(text);
  });
});
