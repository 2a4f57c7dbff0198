import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter, type LinePiece } from './read-line-pieces.ts';

/** The lines of a body that comes in these pieces, by their numbers. */
function linesOf(pieces: readonly Buffer[]): Record<number, string> {
  const splitter = createLineSplitter();
  const found: LinePiece[] = [...pieces.flatMap((one) => [...splitter.push(one)]), ...splitter.end()];
  const ended = new Set<number>();
  const lines: Record<number, string> = {};
  for (const { line, bytes, isLast } of found) {
    expect(ended).not.toContain(line);
    lines[line] = (lines[line] ?? '') + bytes.toString('latin1');
    if (isLast) ended.add(line);
  }
  expect(Object.keys(lines).map(Number)).toEqual([...ended]);
  return lines;
}

function cut(body: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((one) => one % (body.length + 1)).toSorted((a, b) => a - b), body.length];
  return sorted.slice(1).map((end, index) => body.subarray(sorted[index], end));
}

test('blank lines are skipped and count', () => {
  expect(linesOf([Buffer.from('\n{"a":1}\r\n \t\r\n\n{"b":2}\n\n')])).toEqual({
    2: '{"a":1}\r',
    5: '{"b":2}',
  });
});

test('a byte-order mark at the start is white space, and nowhere else', () => {
  expect(linesOf([Buffer.from('\ufeff{}')])).toEqual({ 1: '{}' });
  expect(linesOf([Buffer.from('\ufeff\n{}')])).toEqual({ 2: '{}' });
  expect(linesOf([Buffer.from('\ufeff')])).toEqual({});
  const broken = Buffer.from([0xef, 0xbb]);
  expect(linesOf([broken, Buffer.from('{}')])).toEqual({ 1: `${broken.toString('latin1')}{}` });
  expect(linesOf([broken])).toEqual({ 1: broken.toString('latin1') });
  expect(linesOf([Buffer.from('1\n\ufeff2')])).toEqual({
    1: '1',
    2: Buffer.from('\ufeff2').toString('latin1'),
  });
});

test('where a body is cut makes no difference', () => {
  const part = fc.constantFrom('{"a":"x"}', '\n', '\r\n', ' ', '\t', '\ufeff', 'ñ', '\n\n', '7');
  const body = fc.array(part, { maxLength: 20 }).map((parts) => Buffer.from(parts.join('')));
  fc.assert(
    fc.property(body, fc.array(fc.nat(200), { maxLength: 12 }), (bytes, places) => {
      expect(linesOf(cut(bytes, places))).toEqual(linesOf([bytes]));
    }),
  );
});

test('what is not blank is a line of its own number', () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', '\r', '{'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
      const expected = lines.flatMap((text, index) =>
        /^[ \r\t]*$/.test(text) ? [] : [[index + 1, text.replace(/^[ \r\t]+/, '')] as const],
      );
      expect(linesOf([Buffer.from(lines.join('\n'))])).toEqual(Object.fromEntries(expected));
    }),
  );
});
