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

function within(word: string): string {
  return `${word} >= :termFrom::text and ${word} < :termBelow::text`;
}

/** SQL: an entry of a table of words is one of the term. */
export const isOfTerm = within('word');
/**
 * SQL: one of the few words of a row is the term, and its name has the other words. An empty text is added so that no index by words
 * serves it: for a word that is rarer than the planner knows, it would read all entries of the word for each row, 600,000 pages
 * for one search with two million.
 */
export const isWordOfRow = `${within("(word || '')")} and name like all(:patterns::text[])`;

/** A name, by one of its terms and what else stands in it. */
export interface Terms extends TermRange {
  /** Of `like`, over the name that stands beside each term. */
  readonly patterns: readonly string[];
}

/** The ways to say these words, each by another of them. */
export function termsOfWords(words: readonly string[]): readonly Terms[] {
  return words.map((word) => ({
    ...termsWithPrefix(word),
    patterns: namePatterns(words.filter((other) => other !== word)),
  }));
}

/** What a row is found by beside its terms: its words with a space before each. */
export function searchableName(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}

/** Patterns of `like` over `searchableName`: each word begins one of the name's. */
export function namePatterns(words: readonly string[]): string[] {
  return words.map((word) => `% ${word}%`);
}
