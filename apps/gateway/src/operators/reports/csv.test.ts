import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it('quotes what would end a cell or a line', () => {
    expect(csvLine(['plain', 'a,b', 'say "so"', 'two\nlines', 'Ñandú'])).toBe(
      'plain,"a,b","say ""so""","two\nlines",Ñandú\r\n',
    );
  });

  it.each([
    '=1+1',
    '+593991234567',
    '-2',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '\n=HYPERLINK("x")',
    '＝1',
    '\ufeff=1',
  ])('lets no text be a formula: %j', (text) => {
    expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/);
  });

  it('leaves numbers numbers, also negative ones, and nothing empty', () => {
    expect(csvLine([-1.5, 0, null, undefined, ''])).toBe('-1.5,0,,,\r\n');
  });
});
