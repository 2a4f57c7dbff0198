import { searchableName, toSearchTerms } from '@rubrica/database/search';

/** Maximum number of search terms; enough for any name. */
const maxTerms = 24;

const nameAttributes = new Set(['commonName', 'givenName', 'surname', 'organizationName']);

/** Formats the search term of an identification number. Terms of names contain no #. */
export function formatNumberTerm(identificationNumber: string): string {
  return `#${identificationNumber}`;
}

interface Attribute {
  readonly type: string;
  readonly value: string;
}

/** Extracts the search terms of a certificate from its subject, not from its order. */
export function extractSearchTerms(subject: readonly Attribute[]) {
  const text = subject.flatMap(({ type, value }) => (nameAttributes.has(type) ? value : [])).join(' ');
  const words = toSearchTerms(text).slice(0, maxTerms);
  const numbers = subject.flatMap(({ type, value }) =>
    type === 'serialNumber' ? formatNumberTerm(value.slice(value.indexOf('-') + 1)) : [],
  );
  return { searchTerms: [...words, ...numbers], searchName: searchableName(words) };
}
