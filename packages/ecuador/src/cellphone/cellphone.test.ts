import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCellphone } from './cellphone.ts';

describe('checkCellphone', () => {
  it('accepts every Ecuadorian mobile number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
        const text = `+5939${String(number).padStart(8, '0')}`;
        expect(checkCellphone(text)).toEqual({ ok: true, value: text });
      }),
    );
  });

  it.each(['+573001234567', '+14155550100', '+34600000000', '+123456789012345'])('accepts %s', (text) => {
    expect(checkCellphone(text)).toEqual({ ok: true, value: text });
  });

  it.each(['+59322123456', '+59399123456', '+5939912345678', '+593099123456'])(
    'refuses %s, which is no Ecuadorian mobile number',
    (text) => {
      expect(checkCellphone(text)).toEqual({ ok: false, reason: 'NOT_A_CELLPHONE' });
    },
  );

  it.each([
    '0991234567',
    '593991234567',
    '+0991234567',
    '+593 99 123 4567',
    '+1234567890123456',
    '+',
    '+593991234567\n',
  ])('refuses %j, which is no international number', (text) => {
    expect(checkCellphone(text)).toEqual({ ok: false, reason: 'FORMAT' });
  });
});
