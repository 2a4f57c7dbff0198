import { createFieldText } from '@rubrica/contracts/error-texts/create-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import { isPlaceholder } from '@rubrica/pki';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLostLetters, findUncertifiable, withoutBlankSurname } from './certified-text.ts';

const names = ['applicantName', 'applicantLastName', 'positionCompany', 'companySocialReason'] as const;

function faultsOf(fields: Record<string, string>) {
  return findUncertifiable(fields).map(({ field, expectation }) =>
    renderEnglish(createFieldText(field, expectation)),
  );
}

const signs = fc.string({
  unit: fc.constantFrom('-', '.', '(', ')', ' ', '…', '🙂', '\u200b', '\u00ad', '\u3164', '\u0301'),
  minLength: 1,
  maxLength: 100,
});

describe('a text without a letter or a digit', () => {
  it.each(names)('is refused as %s', (name) => {
    for (const text of ['-', '.', '---', '( )', '🙂', '\u200b', '\u3164'])
      expect(faultsOf({ [name]: text })).toEqual([`${name} must hold a letter or a digit`]);
  });

  it('is refused whatever its signs are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), signs, (name, text) => {
        expect(faultsOf({ [name]: text })).toHaveLength(1);
      }),
    );
  });

  it('counts as no second surname', () => {
    fc.assert(
      fc.property(signs, (applicantSecondLastName) => {
        const fields = { applicantName: 'ANA', applicantSecondLastName };
        expect(findUncertifiable(fields)).toEqual([]);
        expect(withoutBlankSurname(fields)).toEqual({ applicantName: 'ANA' });
      }),
    );
  });

  it('may be a city or an address: a certificate does without', () => {
    expect(faultsOf({ city: '-', address: '.' })).toEqual([]);
  });
});

describe('a text whose letters a certificate has no room for', () => {
  it.each([
    ['positionCompany', `${'-'.repeat(70)}Gerente`],
    ['companySocialReason', `. ${'A'.repeat(70)}`],
    ['applicantLastName', `q${'\u0323'.repeat(80)}`],
  ])('is refused: %s', (name, text) => {
    expect(faultsOf({ [name]: text })).toEqual([
      `${name} must hold a letter or a digit in the whole words of its first 64 characters: a certificate holds no more`,
    ]);
  });
});

it('a text with a letter or a digit among its first words is taken', () => {
  const letter = fc.constantFrom('a', 'Ñ', '7', 'é', '漢');
  fc.assert(
    fc.property(fc.constantFrom(...names), letter, signs, (name, first, text) => {
      fc.pre(!isPlaceholder(first));
      expect(faultsOf({ [name]: `${first} ${text}`.slice(0, 100) })).toEqual([]);
    }),
  );
});

it('a second surname of letters stays', () => {
  expect(withoutBlankSurname({ applicantSecondLastName: 'Ñ' })).toEqual({ applicantSecondLastName: 'Ñ' });
});

describe('a code point that stands for no letter', () => {
  const shown = [...names, 'applicantSecondLastName', 'city', 'address'];
  const lost = fc.oneof(
    fc.constant(0xfffd),
    fc.integer({ min: 0xe000, max: 0xf8ff }),
    fc.integer({ min: 0xfdd0, max: 0xfdef }),
    fc.integer({ min: 0, max: 0x10 }).map((plane) => plane * 0x1_0000 + 0xffff),
    fc.constantFrom(0x0378, 0x4_0000, 0xf_0000, 0x10_fffd),
  );

  it('is refused wherever people read it, and named', () => {
    fc.assert(
      fc.property(fc.constantFrom(...shown), fc.string(), lost, (name, text, code) => {
        const value = `Mu${String.fromCodePoint(code)}oz ${text}`;
        const hex = code.toString(16).toUpperCase().padStart(4, '0');
        const found = findLostLetters({ [name]: value });
        expect(found.map(({ field, expectation }) => [field, renderEnglish(expectation)])).toEqual([
          [name, `contains U+${hex}: a letter was lost before it reached us`],
        ]);
      }),
    );
  });

  it('is in no text of assigned letters and signs', () => {
    fc.assert(
      fc.property(fc.constantFrom(...shown), fc.string({ unit: 'grapheme' }), (name, text) => {
        expect(findLostLetters({ [name]: text })).toEqual([]);
      }),
    );
  });
});
