import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personalName } from './personal-name.ts';

const name = (givenNames: string, surnames: string) => personalName({ givenNames, surnames }, 64);

describe('a common name', () => {
  it('has all names where they fit exactly', () => {
    const value = `${'A'.repeat(30)} ${'B'.repeat(33)}`;
    expect(name('A'.repeat(30), 'B'.repeat(33))).toEqual({ value, truncated: false });
  });

  it('loses given names before the surname, whole words from the last on', () => {
    expect(name('MARÍA FERNANDA GUADALUPE ESPERANZA', 'ETXEBERRIAGOITIA ZUMALACÁRREGUI')).toEqual({
      value: 'MARÍA FERNANDA GUADALUPE ETXEBERRIAGOITIA ZUMALACÁRREGUI',
      truncated: true,
    });
  });

  it('does not end its given names with a word that leads to another', () => {
    expect(name('MARÍA DE LOS ÁNGELES DEL SACRATÍSIMO CORAZÓN', 'ETXEBERRIAGOITIA ZUMALACÁRREGUI')).toEqual({
      value: 'MARÍA DE LOS ÁNGELES ETXEBERRIAGOITIA ZUMALACÁRREGUI',
      truncated: true,
    });
    expect(name(`MARÍA DE LOS ${'Á'.repeat(40)}`, 'ETXEBERRIAGOITIA').value).toBe('MARÍA ETXEBERRIAGOITIA');
  });

  it('is the surname alone where no given name fits beside it', () => {
    expect(name('MAXIMILIANO', 'B'.repeat(64))).toEqual({ value: 'B'.repeat(64), truncated: true });
    expect(name('MAXIMILIANO', 'B'.repeat(55))).toEqual({ value: 'B'.repeat(55), truncated: true });
  });

  it('is the first words of a surname that does not fit alone', () => {
    expect(name('ANA', `${'B'.repeat(40)} ${'C'.repeat(40)}`)).toEqual({
      value: 'B'.repeat(40),
      truncated: true,
    });
    expect(name('ANA', 'Ñ'.repeat(100)).value).toBe('Ñ'.repeat(64));
  });

  it('ends with the whole surname whatever the names are, if that fits', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('A', 'ñ', 'é'), minLength: 1, maxLength: 30 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(words, words, (given, surnames) => {
        const surname = surnames.join(' ');
        const { value, truncated } = name(given.join(' '), surname);
        expect([...value].length).toBeLessThanOrEqual(64);
        if ([...surname].length <= 64) expect(value.endsWith(surname)).toBe(true);
        expect(truncated).toBe(value !== `${given.join(' ')} ${surname}`);
      }),
    );
  });
});
