import { describe, expect, it } from 'vitest';
import { codeRules } from '../code-rules.ts';
import { canRequestByNumber, type NumberCode, numberLimits } from './code-limits.ts';

const now = new Date('2026-11-28T12:00:00Z');
function codes(count: number, addressSha256: string | null, minutesAgo: number): NumberCode[] {
  const sentAt = new Date(now.getTime() - minutesAgo * 60_000);
  return Array.from({ length: count }, () => ({ sentAt, addressSha256 }));
}

describe('mayAskByNumber', () => {
  it.each([
    ['the first', [], 'a', true],
    ['the third of an address within an hour', codes(2, 'a', 59), 'a', true],
    ['the fourth of an address within an hour', codes(3, 'a', 59), 'a', false],
    ['the fourth of an address, an hour later', codes(3, 'a', 60), 'a', true],
    ['the seventh of an address within a day', codes(6, 'a', 120), 'a', false],
    ['the fourth to a telephone, of another address', codes(3, 'a', 1), 'b', true],
    ['the tenth to a telephone within an hour', codes(9, 'a', 1), 'b', true],
    ['the eleventh to a telephone within an hour', codes(10, 'a', 1), 'b', false],
    ['the twenty-first to a telephone within a day', codes(20, 'a', 120), 'b', false],
    ['the fourth without an address', codes(3, null, 1), null, true],
    ['the eleventh without an address', codes(10, null, 1), null, false],
  ] as const)('%s', (_name, sent, addressSha256, allowed) => {
    expect(canRequestByNumber(sent, { addressSha256, timelineSentAt: [], now })).toBe(allowed);
  });

  it.each([
    ['fifteenth within an hour', 14, 59, true],
    ['sixteenth within an hour', 15, 59, false],
    ['sixteenth an hour later', 15, 60, true],
    ['thirty-sixth within a day', 35, 120, false],
  ])('the %s that revokes one certificate, by the timeline alone', (_name, count, minutesAgo, allowed) => {
    const timelineSentAt = codes(count, null, minutesAgo).map(({ sentAt }) => sentAt);
    expect(canRequestByNumber([], { addressSha256: 'a', timelineSentAt, now })).toBe(allowed);
  });

  it('bounds a certificate by what its telephone gets and what its link may ask for within the hour', () => {
    const { certificate, telephone } = numberLimits;
    expect(certificate.perHour).toBe(telephone.perHour + codeRules.perHour);
    expect(certificate.perDay).toBeGreaterThanOrEqual(telephone.perDay);
  });

  it('leaves one chance in ten thousand a day to whoever guesses from everywhere', () => {
    const guesses = numberLimits.telephone.perDay * codeRules.tries;
    expect(guesses / 1_000_000).toBeLessThanOrEqual(1e-4);
  });
});
