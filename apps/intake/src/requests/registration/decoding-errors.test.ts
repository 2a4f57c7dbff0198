import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDecodingError } from './warnings.ts';

const spanish = 'ñÑáéíóúüÁÉÍÓÚÜ¿¡ºª–’';
const word = fc.string({ unit: fc.constantFrom(...'abcdehilmnorstuz'), minLength: 1, maxLength: 8 });
/** A word with a letter that several encodings write differently. */
const accented = fc.tuple(word, fc.constantFrom(...spanish), word).map((parts) => parts.join(''));

const misread: Readonly<Record<string, (text: string) => string>> = {
  'UTF-8 read as Windows-1252': (text) => new TextDecoder('windows-1252').decode(Buffer.from(text)),
  'the same twice': (text) => {
    const decoder = new TextDecoder('windows-1252');
    return decoder.decode(Buffer.from(decoder.decode(Buffer.from(text))));
  },
  'UTF-8 read as Mac OS Roman': (text) => new TextDecoder('macintosh').decode(Buffer.from(text)),
  'entities of HTML': (text) => text.replaceAll(/[^\x20-\x7e]/gu, (one) => `&#${one.codePointAt(0)};`),
  'escapes of JSON written twice': (text) =>
    text.replaceAll(/[^\x20-\x7e]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'percent encoding': encodeURIComponent,
  'question marks in place of letters': (text) => text.replaceAll(/[^\x20-\x7e]/gu, '?'),
};

describe('a text that was decoded wrongly', () => {
  it.each(Object.entries(misread))('is seen: %s', (_name, misreadText) => {
    fc.assert(
      fc.property(accented, (text) => {
        expect(findDecodingError(misreadText(text)), misreadText(text)).toBeDefined();
      }),
    );
  });

  it.each([
    ['MuÃ±oz', 'Ã±'],
    ['MUÃ‘OZ', 'Ã‘'],
    ['Mu&ntilde;oz', '&ntilde;'],
    ['Mu?oz', '?'],
    ['JOS?', '?'],
    ['Mu├▒oz', '├▒'],
    ['P&amp;G', '&amp;'],
  ])('%s is quoted in part alone: %s', (text, part) => {
    expect(findDecodingError(text)).toBe(part);
  });
});

describe('a text that was decoded well', () => {
  it('is not taken for one that was not, whatever its letters are', () => {
    fc.assert(
      fc.property(fc.array(accented, { minLength: 1, maxLength: 6 }), (words) => {
        const text = words.join(' ');
        expect(findDecodingError(text)).toBeUndefined();
        expect(findDecodingError(text.toUpperCase())).toBeUndefined();
      }),
    );
  });

  it.each([
    'Pérez & Hijos S.A.',
    'AT&T',
    'JOÃO DA CONCEIÇÃO',
    'Ångström',
    'SÃO “TOMÉ”',
    'Av. 10 de Agosto N21-147 (esq.) #5 50%',
    'Ñ’',
    'A&B; C',
  ])('%s is none', (text) => {
    expect(findDecodingError(text)).toBeUndefined();
  });
});
