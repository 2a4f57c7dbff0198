import { describe, expect, it } from 'vitest';
import { checkFingerCode } from './finger-code.ts';

describe('checkFingerCode', () => {
  it.each([
    ['V4333V2222', 'V4333V2222'],
    ['v4333v2222', 'V4333V2222'],
    ['E123456789', 'E123456789'],
    ['ABCD123456', 'ABCD123456'],
  ])('reads %s as %s', (text, value) => {
    expect(checkFingerCode(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['has no letter', '1234567890'],
    ['has five digits only', 'ABCDE12345'],
    ['is short', 'V4333V222'],
    ['is long', 'V4333V22222'],
    ['has a sign', 'V4333-2222'],
    ['grows when upper-cased', 'ß43332222'],
    ['holds a letter of another script', 'ı433322222'],
    ['ends with a line end', 'V4333V2222\n'],
  ])('refuses a code that %s', (_, text) => {
    expect(checkFingerCode(text)).toEqual({ ok: false, reason: 'FORMAT' });
  });
});
