import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import { describe, expect, it } from 'vitest';
import { findContentFault } from './content-rules.ts';

describe('the content of a version', () => {
  it.each([
    ['one line', 'Términos y condiciones'],
    ['paragraphs and tabs', 'Uno\r\n\r\n\tDos\n'],
    ['characters beyond the basic plane', 'Firma 🖋 electrónica'],
  ])('may be %s', (_what, content) => {
    expect(findContentFault(content)).toBeUndefined();
  });

  it.each([
    ['blank', ' \n\t '],
    ['with a NUL, which PostgreSQL cannot keep', 'a\u0000b'],
    ['with an escape', 'a\u001bb'],
    ['with a C1 control', 'a\u0085b'],
    ['with half a surrogate pair', 'a\ud83db'],
  ])('may not be %s', (_what, content) => {
    const fault = findContentFault(content);
    expect(fault && renderEnglish(fault)).toMatch(/^content must not/);
  });
});
