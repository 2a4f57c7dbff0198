import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedText, isPlaceholder, prohibitedCharacters, tidyText } from './bounded-text.ts';

describe('text within its bound', () => {
  it('is left as it is when it fits exactly', () => {
    expect(boundedText('a'.repeat(64), 64)).toEqual({ value: 'a'.repeat(64), truncated: false });
  });

  it('is cut after the last whole word that fits', () => {
    expect(boundedText('uno dos tres', 8)).toEqual({ value: 'uno dos', truncated: true });
    expect(boundedText('uno dos tres', 7)).toEqual({ value: 'uno dos', truncated: true });
  });

  it('is cut at the bound when it is one long word', () => {
    expect(boundedText('x'.repeat(70), 64)).toEqual({ value: 'x'.repeat(64), truncated: true });
  });

  it('counts characters, not bytes or UTF-16 units', () => {
    expect(boundedText('Ñ'.repeat(64), 64).truncated).toBe(false);
    expect(boundedText('𝒜'.repeat(64), 64).truncated).toBe(false);
  });

  it('is composed (NFC) and stripped of control characters and doubled white space', () => {
    expect(boundedText('  JOSE\u0301\u0000 \t MARI\u0301A\n', 64)).toEqual({
      value: 'JOSÉ MARÍA',
      truncated: false,
    });
  });

  it('keeps a combining mark with its letter', () => {
    const { value } = boundedText(`${'x'.repeat(3)}q\u0323\u0323yy`, 5);
    expect(value).toBe('xxx');
  });

  it('is never cut inside what people see as one letter', () => {
    expect(boundedText('xx🇪🇨yy', 3).value).toBe('xx');
    expect(boundedText('xx🇪🇨yy', 4).value).toBe('xx🇪🇨');
    expect(boundedText(`q${'\u0323'.repeat(9)}`, 4)).toEqual({ value: '', truncated: true });
  });

  it('loses what shows nothing or means nothing', () => {
    expect(tidyText('\u202eMA\u200bRÍA\u00ad')).toBe('MARÍA');
    expect(tidyText('MARÍA\ufffdJOSÉ\ue000\u00a0ANA\ud800')).toBe('MARÍA JOSÉ ANA');
  });

  it('of signs alone is a placeholder', () => {
    expect(['-', '', ' . ', '🙂', '\u200b', '\u3164', 'n/a', 'Ñ', '7'].map(isPlaceholder)).toEqual([
      ...Array(6).fill(true),
      ...Array(3).fill(false),
    ]);
  });

  it('never exceeds the bound, is NFC and well formed whatever comes in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 1, max: 128 }),
        (text, most) => {
          const { value } = boundedText(text, most);
          const isWithin = [...value].length <= most;
          const isClean = value === tidyText(value) && !prohibitedCharacters.test(value);
          return isWithin && value.isWellFormed() && isClean && !/\p{Cc}|\p{Cf}/u.test(value);
        },
      ),
    );
  });
});
