import { isPlaceholder } from '@rubrica/pki';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUncertifiable, withoutBlankSurname } from './certified-text.ts';

const names = ['applicantName', 'applicantLastName', 'positionCompany', 'companySocialReason'] as const;

function faultsOf(fields: Record<string, string>) {
  return findUncertifiable(fields).map(({ field, expectation }) => `${field} ${expectation}`);
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
