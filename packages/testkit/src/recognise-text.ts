import { templates } from '@rubrica/contracts/error-texts/templates';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';

const texts: readonly (readonly [id: string, row: { readonly en: string; readonly es: string }])[] = [
  ...Object.entries(templates),
  ...Object.entries(errorCatalogue),
];
/** Templates of facts alone would take any sentence for theirs. */
const recognised = texts.filter(([, { en }]) => /[a-z]{2}/.test(en.replaceAll(/\{[\w:]+\}/g, '')));
const wholes = /^(?:access|approval|call|openId|operator|partner|request)\.|^[A-Z_]+$/;

function toPattern(id: string, text: string): RegExp {
  const parts = text.split(/\{[\w:]+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  // Texts of fields and files continue the name of a field.
  return new RegExp(`^${wholes.test(id) ? '' : '(?:\\S+ )?'}${parts.join('.+')}$`, 's');
}

/** Patterns in the order of their own words: what says more comes first. */
function toPatterns(language: 'en' | 'es') {
  const words = (text: string) => text.replaceAll(/\{[\w:]+\}/g, '').length;
  return recognised
    .toSorted(([, one], [, other]) => words(other[language]) - words(one[language]))
    .map(([id, row]) => [id, toPattern(id, row[language])] as const);
}

const patterns = { en: toPatterns('en'), es: toPatterns('es') };

/** Id of the template or code that a rendered sentence comes from; undefined for a sentence of none. */
export function recogniseText(sentence: string, language: 'en' | 'es'): string | undefined {
  return patterns[language].find(([, pattern]) => pattern.test(sentence))?.[0];
}
