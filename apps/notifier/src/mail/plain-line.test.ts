import { describe, expect, it } from 'vitest';
import { fillTemplate, toPlainLine } from './plain-line.ts';

describe('plainLine', () => {
  it.each([
    ['Jane\r\nBcc: x@y.z', 'Jane Bcc: x@y.z'],
    ['  María\u00a0\tJosé ', 'María José'],
    ['invoice\u202efdp.exe', 'invoice fdp.exe'],
    ['Nun\u0303ez', 'Nuñez'],
    ['a\u2028b\u0000c\u200bd', 'a b c d'],
  ])('makes one readable line of %j', (text, line) => expect(toPlainLine(text)).toBe(line));
});

describe('fill', () => {
  it('fills each place once, and never what was filled in', () => {
    expect(fillTemplate('{a} {b} {c}', { a: '{b}', b: '$&' })).toBe('{b} $& {c}');
  });
});
