/**
 * The words of a name as searches know them: without accents and case, each once.
 * `María-José Ñúñez` gives `maria`, `jose`, `nunez`.
 */
export function searchWords(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))];
}

/** All terms that begin like this, as a range of an index in the order of code points (collation "C"). */
export interface TermRange {
  readonly termFrom: string;
  readonly termBelow: string;
}

export function termsWithPrefix(prefix: string): TermRange {
  return { termFrom: prefix, termBelow: `${prefix}\u{10ffff}` };
}

/** What a row is found by beside its terms: its words with a space before each. */
export function searchableName(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}

/** Patterns of `like` over `searchableName`: each word begins one of the name's. */
export function namePatterns(words: readonly string[]): string[] {
  return words.map((word) => `% ${word}%`);
}
