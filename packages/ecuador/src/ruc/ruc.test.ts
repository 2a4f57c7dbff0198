import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeCedula } from '../cedula/cedula.ts';
import vectors from '../fixtures/id-vectors.json' with { type: 'json' };
import { checkRuc } from './ruc.ts';

const invalid = vectors.ruc.filter((vector) => vector.expect === 'invalid');
const valid = vectors.ruc.filter((vector) => vector.expect === 'valid');
const withoutClassicDigit = vectors.ruc.filter(({ checkDigit }) => checkDigit === false);

describe('checkRuc', () => {
  it.each(valid)('accepts $v as $kind', ({ v, kind }) => {
    expect(checkRuc(v)).toEqual({ ok: true, value: v, kind });
  });

  it.each(withoutClassicDigit)('accepts $v with a warning', ({ v }) => {
    expect(checkRuc(v)).toMatchObject({ ok: true, value: v, warning: 'CHECK_DIGIT' });
  });

  it.each(invalid)('refuses $v: $why', ({ v, why }) => {
    const reason = why?.startsWith('establishment')
      ? 'ESTABLISHMENT'
      : { length: 'FORMAT', 'province 88': 'PROVINCE', 'third digit 7': 'THIRD_DIGIT' }[why ?? ''];
    expect(checkRuc(v)).toEqual({ ok: false, reason });
  });

  it('covers every vector', () => {
    expect(invalid.length + valid.length + withoutClassicDigit.length).toBe(vectors.ruc.length);
  });

  it('refuses a natural person whose cédula is wrong', () => {
    expect(checkRuc('1714307104001')).toEqual({ ok: false, reason: 'CHECK_DIGIT' });
  });

  it('reads third digit 6 as a public body where both readings hold and the tenth digit is 0', () => {
    expect(checkRuc('1760001550001')).toMatchObject({ kind: 'public' });
  });

  it('takes a cédula with any establishment but 000', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 999 }), (seed, establishment) => {
        const text = `${makeCedula(seed)}${String(establishment).padStart(3, '0')}`;
        expect(checkRuc(text)).toEqual({ ok: true, value: text, kind: 'natural' });
        expect(checkRuc(`${makeCedula(seed)}000`)).toEqual({ ok: false, reason: 'ESTABLISHMENT' });
      }),
    );
  });

  it('never refuses third digit 9 for its check digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), (serial) => {
        const text = `179${String(serial).padStart(7, '0')}001`;
        expect(checkRuc(text)).toMatchObject({ ok: true, kind: 'juridical' });
      }),
    );
  });
});
