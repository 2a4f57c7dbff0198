/**
 * Splits a name into words for searches: without accents and case, each once. `María-José Ñúñez` gives `maria`, `jose`,
 * `nunez`.
 */
export function toSearchTerms(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))];
}

/** Range of an index with all terms of a prefix, in the order of code points (collation "C"). */
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

/** SQL condition: an entry of a table of words belongs to the term. */
export const termCondition = within('word');
/**
 * SQL condition: one of the few words of a row is the term, and its name contains the other words. An empty text is
 * appended so that no index on words serves it. For a word that is rarer than the planner knows, an index would read
 * all entries of the word for each row: 600,000 pages for one search with two million.
 */
export const rowWordCondition = `${within("(word || '')")} and name like all(:patterns::text[])`;

/** Name, by one of its terms and the rest of its words. */
export interface Terms extends TermRange {
  /** Patterns of `like`, over the name that is stored with each term. */
  readonly patterns: readonly string[];
}

/** Lists the ways to search for these words, each by another of them. */
export function toTerms(words: readonly string[]): readonly Terms[] {
  return words.map((word) => ({
    ...termsWithPrefix(word),
    patterns: namePatterns(words.filter((other) => other !== word)),
  }));
}

/** Builds the text that is stored with the terms of a row: its words with a space before each. */
export function searchableName(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}

/** Builds patterns of `like` over `searchableName`: each word begins a word of the name. */
export function namePatterns(words: readonly string[]): string[] {
  return words.map((word) => `% ${word}%`);
}
