import { isOfTerm, type TermRange, type Terms } from './search-words.ts';

/** Where a look ended: at this row, which it has seen. */
export interface Reached {
  readonly at: string;
  readonly id: string;
}

/** All that was found, newest first, down to where the look ended; `reached` is null where nothing is left below. */
export interface Looked<Row> {
  readonly rows: readonly Row[];
  readonly reached: Reached | null;
}

/** A row of a look's statement: without an id where nothing was found, so that it says at least how far it went. */
export interface LookedRow {
  readonly id: string | null;
  readonly reachedAt: string | null;
  readonly reachedId: string | null;
}

/** What is known of a term before its entries are read. */
export interface TermSize {
  /** Of its entries, up to `fewEntries`. */
  readonly count: number;
  /** The words that begin like it, up to `mostWordsOfTerm` and one more. */
  readonly words: readonly string[];
}

/** Of a term with fewer all entries are read. */
const fewEntries = 5_000;
/** Of a term with more so many of the newest are read. */
const newestEntries = 10_000;
/** Of more words that begin alike the newest entries are not read: each word has a stretch of the index of its own. */
const mostWordsOfTerm = 20;

/** A table of words as SQL sees it here: `at` and `id` of what a word finds, and the name that it stands in. */
export interface WordTable {
  readonly name: string;
  readonly at: string;
  readonly id: string;
}

function entriesOf({ name, at, id }: WordTable): string {
  return `(select ${at} as at, ${id} as id, word, name from ${name}) as entry`;
}

/** SQL of a `TermSize`; the words by a walk from one to the next over the index. */
export function termSizeSql({ name }: WordTable): string {
  const first = `select word from ${name} where ${isOfTerm} order by word limit 1`;
  const next = `select word from ${name} where word > known.word and word < :termBelow::text order by word limit 1`;
  return `
with recursive known as (
  (${first})
  union all
  select (${next}) from known where known.word is not null
)
select array(select word from known where word is not null limit ${mostWordsOfTerm + 1}) as words, (
  select count(*)::int from (
    select from ${name} where ${isOfTerm} limit ${fewEntries}
  ) as one
) as count`;
}

const named = `named as materialized (
  select distinct at, id from entries where name like all(:patterns::text[]) order by at desc, id desc limit :looks::int
)`;

/**
 * SQL of the common table expressions `named`, the newest rows with the name, at most `:looks`, and `reached`.
 * @param isBelow a condition on `at` and `id`
 */
export const namedSql = {
  /** Of a term with few entries. */
  few: (table: WordTable, isBelow: string) => `
entries as materialized (
  select at, id, name from ${entriesOf(table)} where ${isOfTerm} and ${isBelow}
), ${named}, ${reachedSql([{ rows: 'named', most: ':looks' }])}`,
  /** Of a term with many: `:words`, each with its newest, and of those the newest. */
  many: (table: WordTable, isBelow: string) => `
entries as materialized (
  select found.at, found.id, found.name from unnest(:words::text[]) as one (word) cross join lateral (
    select at, id, name from ${entriesOf(table)} where entry.word = one.word and ${isBelow}
    order by word, at desc, id desc limit ${newestEntries}
  ) as found
  order by at desc, id desc limit ${newestEntries}
), ${named}, ${reachedSql([
    { rows: 'named', most: ':looks' },
    { rows: 'entries', most: String(newestEntries) },
  ])}`,
} as const;

/**
 * SQL of `reached`: the last of these rows where there are as many as were asked for, and of two such the newer. No row where
 * all was seen.
 */
export function reachedSql(looks: readonly { readonly rows: string; readonly most: string }[]): string {
  const ends = looks.map(
    ({ rows, most }) =>
      `(select at, id from ${rows} where (select count(*) from ${rows}) >= ${most}::int order by at, id limit 1)`,
  );
  return `reached as (
  select at, id from (${ends.join(' union all ')}) as ends order by at desc, id desc limit 1
)`;
}

/** SQL that begins each row of an answer with how far the look went. */
export function withReached(found: string): string {
  return `select reached.at as "reachedAt", reached.id as "reachedId", found.*
from (select) as once left join reached on true left join (${found}) as found on true`;
}

export function lookedOf<Row extends LookedRow>(rows: readonly Row[]): Looked<Row & { id: string }> {
  const [{ reachedAt, reachedId } = { reachedAt: null, reachedId: null }] = rows;
  return {
    rows: rows.filter((row): row is Row & { id: string } => row.id !== null),
    reached: reachedAt === null || reachedId === null ? null : { at: reachedAt, id: reachedId },
  };
}

/** What an index gives in its order, it gives to the end. */
export async function lookedWhole<Row>(rows: Promise<Row[]>): Promise<Looked<Row>> {
  return { rows: await rows, reached: null };
}

/** The ways to look for a name, each bounded, whatever is stored. */
export interface Looks<Row> {
  /** Over so many of the newest of what else is meant, each looked at for the name. */
  walk(terms: Terms, distance: 'near' | 'far'): Promise<Looked<Row>>;
  size(range: TermRange): Promise<TermSize>;
  few(terms: Terms): Promise<Looked<Row>>;
  many(terms: Terms & Pick<TermSize, 'words'>): Promise<Looked<Row>>;
}

interface Wanted {
  /** Ways to say the same name, each with another of its terms. */
  readonly alternatives: readonly Terms[];
  readonly limit: number;
  /** It is one person's, or nearly: few have it, whatever else is meant. */
  readonly isRare: boolean;
}

/**
 * One page by a name. The newest of all are looked at first: where the name is frequent among them, they fill the page. Else the
 * entries of the term that has fewest are read, all of them where they are few. Where neither fills the page or
 * comes to the end, what has looked back further counts, and says how far.
 */
export async function lookBack<Row>(
  looks: Looks<Row>,
  { alternatives, limit, isRare }: Wanted,
): Promise<Looked<Row>> {
  const isDone = ({ rows, reached }: Looked<Row>) => rows.length >= limit || reached === null;
  const [any] = alternatives;
  if (any === undefined) throw new Error('there is nothing to look for');
  const walked = isRare ? undefined : await looks.walk(any, 'near');
  if (walked !== undefined && isDone(walked)) return walked;
  const sizes = await Promise.all(
    alternatives.map(async (terms) => ({ ...terms, ...(await looks.size(terms)) })),
  );
  const [rarest] = sizes
    .filter(({ count, words }) => count < fewEntries || words.length <= mostWordsOfTerm)
    .toSorted((a, b) => a.count - b.count);
  if (rarest === undefined) return looks.walk(any, 'far');
  const read = await (rarest.count < fewEntries ? looks.few(rarest) : looks.many(rarest));
  return walked === undefined || isDone(read) || placeOf(read) < placeOf(walked) ? read : walked;
}

/** As a text that sorts like the place. */
function placeOf({ reached }: Looked<unknown>): string {
  return reached === null ? '' : `${new Date(reached.at).toISOString()} ${reached.id}`;
}
