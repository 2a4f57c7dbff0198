import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../fixtures/id-vectors.json' with { type: 'json' };
import { checkCedula, makeCedula } from './cedula.ts';

const reasons: Record<string, string> = {
  'check digit': 'CHECK_DIGIT',
  length: 'FORMAT',
  format: 'FORMAT',
  'third digit 8 (mod 10 passes)': 'THIRD_DIGIT',
  'province 88': 'PROVINCE',
};

describe('checkCedula', () => {
  it.each(vectors.ci)('judges $v as $expect', ({ v, expect: verdict, why }) => {
    expect(checkCedula(v)).toEqual(
      verdict === 'valid' ? { ok: true, value: v } : { ok: false, reason: reasons[why ?? ''] },
    );
  });

  it.each(['2450000100', '2450000209', '2450001801'])('accepts the sandbox number %s', (text) => {
    expect(checkCedula(text).ok).toBe(true);
  });

  it('accepts province 30 and refuses 00, 25 and 31', () => {
    expect(checkCedula('3050000006')).toEqual({ ok: false, reason: 'CHECK_DIGIT' });
    for (const province of ['00', '25', '31']) {
      expect(checkCedula(`${province}50000000`)).toEqual({ ok: false, reason: 'PROVINCE' });
    }
  });

  it('refuses digits of other scripts, spaces and line ends', () => {
    for (const text of ['١٢٣٤٥٦٧٨٩٠', ' 171430710', '1714307103\n']) {
      expect(checkCedula(text)).toEqual({ ok: false, reason: 'FORMAT' });
    }
  });

  it('notices any single digit typed wrongly', () => {
    const change = fc.record({
      seed: fc.integer(),
      at: fc.integer({ min: 3, max: 9 }),
      add: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(change, ({ seed, at, add }) => {
        const digits = [...makeCedula(seed)];
        digits[at] = String((Number(digits[at]) + add) % 10);
        expect(checkCedula(digits.join(''))).toEqual({ ok: false, reason: 'CHECK_DIGIT' });
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        expect(typeof checkCedula(text).ok).toBe('boolean');
      }),
    );
  });
});

describe('makeCedula', () => {
  it('makes a valid number of any seed, outside the range the sandbox gives meanings to', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (seed) => {
        const made = makeCedula(seed);
        expect(checkCedula(made)).toEqual({ ok: true, value: made });
        expect(Number(made.slice(3, 9))).toBeGreaterThanOrEqual(1_000);
        expect(makeCedula(seed)).toBe(made);
      }),
    );
  });

  it('makes different numbers of neighbouring seeds', () => {
    expect(new Set(Array.from({ length: 20_000 }, (_, seed) => makeCedula(seed))).size).toBe(20_000);
  });

  it('refuses a seed that is no integer', () => {
    expect(() => makeCedula(0.5)).toThrow(RangeError);
  });
});
