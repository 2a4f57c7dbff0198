import { describe, expect, it } from 'vitest';
import { formatCsvLine } from './csv.ts';

describe('a line of CSV', () => {
  it('quotes what would end a cell or a line', () => {
    expect(formatCsvLine(['plain', 'a,b', 'say "so"', 'two\nlines', 'Ñandú'])).toBe(
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
    expect(formatCsvLine([text]).replace(/^"/, '')).toMatch(/^'/);
  });

  it.each(['A;=1+1', 'A;B;\t@x', 'A\t-2', 'A; \ufeff＝1', 'B;"=1+cmd'])(
    'lets no formula begin where a spreadsheet may divide it: %j',
    (text) => {
      for (const piece of formatCsvLine([text]).split(/[;\t]/).slice(1))
        expect(piece === '' || piece.startsWith("'") || /^\s*[A-Z]/.test(piece)).toBe(true);
    },
  );

  it.each([
    ['0912345678', '="0912345678"'],
    ['0190000000001', '="0190000000001"'],
    ['1E5', '="1E5"'],
    ['2026-01-02', '="2026-01-02"'],
    ['MAR1', '="MAR1"'],
    ['ene-26', '="ene-26"'],
    ['$5', '="$5"'],
    [' 007', '=" 007"'],
    ['TRUE', '="TRUE"'],
    ['1"&A1&"', '="1""&A1&"""'],
  ])('keeps %s as the text that it is, which a spreadsheet would change', (text, kept) => {
    expect(formatCsvLine([{ exact: text }])).toBe(`"${kept.replaceAll('"', '""')}"\r\n`);
  });

  it.each(['TX-1', '******4065', 'ABC', 'a-1-2', ''])(
    'leaves %j as it is, which no spreadsheet changes',
    (text) => {
      expect(formatCsvLine([{ exact: text }])).toBe(`${text}\r\n`);
    },
  );

  it.each(['=1+1', '-2', '+5', '@SUM(A1)', '\t=1', '＝1'])('lets no exact text be a formula: %j', (text) => {
    expect(formatCsvLine([{ exact: text }]).replace(/^"/, '')).toMatch(/^'/);
  });

  it('leaves numbers numbers, also negative ones, and nothing empty', () => {
    expect(formatCsvLine([-1.5, 0, null, undefined, ''])).toBe('-1.5,0,,,\r\n');
  });
});
