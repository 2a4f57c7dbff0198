import { searchableName, searchWords } from '@rubrica/database';

/** Enough for every name there is. */
const mostWords = 24;

const names = new Set(['commonName', 'givenName', 'surname', 'organizationName']);

/** The key of an identification number among the words: no word has a #. */
export function numberTerm(identificationNumber: string): string {
  return `#${identificationNumber}`;
}

interface Attribute {
  readonly type: string;
  readonly value: string;
}

/** What a certificate is found by: as its subject has it, not as it was ordered. */
export function certificateWords(subject: readonly Attribute[]) {
  const text = subject.flatMap(({ type, value }) => (names.has(type) ? value : [])).join(' ');
  const words = searchWords(text).slice(0, mostWords);
  const numbers = subject.flatMap(({ type, value }) =>
    type === 'serialNumber' ? numberTerm(value.slice(value.indexOf('-') + 1)) : [],
  );
  return { searchTerms: [...words, ...numbers], searchName: searchableName(words) };
}
