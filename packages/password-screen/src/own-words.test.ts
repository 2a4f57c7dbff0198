import { expect, it } from 'vitest';
import { listOwnTerms } from './own-words.ts';

it('what is known of a person is tried whole, in parts, without accents, and as numbers are said', () => {
  const words = listOwnTerms(['María José', 'ana.paz@correo.ec', '+593991234567', 'Av. 6 de Diciembre']);
  for (const word of [
    'maría',
    'jose',
    'maríajosé',
    'mariajose',
    'paz',
    'correo',
    '0991234567',
    '991234567',
    'diciembre',
  ])
    expect(words).toContain(word);
  for (const part of ['av', '6', 'de', 'ec', '']) expect(words).not.toContain(part);
});

it('the same word is there once', () => {
  const words = listOwnTerms(['Ana', 'ANA', ' ana ']);
  expect(words).toEqual(['ana']);
});
