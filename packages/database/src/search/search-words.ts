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

/** How many entries are counted of a word before it is called frequent. */
const mostCounted = 10_000;

function matching(word: string): string {
  return `${word} >= :termFrom::text and ${word} < :termBelow::text and name like all(:patterns::text[])`;
}

/** SQL: an entry of a table of words is one of the term, and its name has the other words. */
export const isEntryOfTerm = matching('word');
/**
 * The same of the few words of one row. An empty text is added so that no index by words serves it: for a word that is rarer than the planner
 * knows, it would read all entries of the word for each row, 600,000 pages for one search with two million.
 */
export const isWordOfRow = matching("(word || '')");

/** SQL that counts the entries of one word in a table of words, up to what makes it frequent. */
export function countTermSql(table: string): string {
  return `select count(*)::int as count from (
    select from ${table} where word >= :termFrom::text and word < :termBelow::text limit ${mostCounted}
  ) as one`;
}

/**
 * The words with the rarest first, by what `count` says of each: the entries of that one are read, and the other words are
 * looked for beside it.
 */
export async function rarestFirst(
  words: readonly string[],
  count: (range: TermRange) => Promise<readonly { readonly count: number }[]>,
): Promise<readonly string[]> {
  if (words.length < 2) return words;
  const counted = await Promise.all(
    words.map(async (word) => ({ word, count: (await count(termsWithPrefix(word)))[0]?.count ?? 0 })),
  );
  return counted.toSorted((a, b) => a.count - b.count).map(({ word }) => word);
}

/** What a row is found by beside its terms: its words with a space before each. */
export function searchableName(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}

/** Patterns of `like` over `searchableName`: each word begins one of the name's. */
export function namePatterns(words: readonly string[]): string[] {
  return words.map((word) => `% ${word}%`);
}
