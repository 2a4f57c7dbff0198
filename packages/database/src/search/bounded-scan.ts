import { type TermRange, type Terms, termCondition } from './search-words.ts';

/** Row at which a search ended, which it has examined. */
export interface ScanCursor {
  readonly at: string;
  readonly id: string;
}

/** Rows found, newest first, down to where the search ended; `reached` is null if nothing is left below. */
export interface ScanResult<Row> {
  readonly rows: readonly Row[];
  readonly reached: ScanCursor | null;
}

/**
 * Row of a search statement: without an id if nothing was found, so that the answer at least states how far it went.
 */
export interface ScanRow {
  readonly id: string | null;
  readonly reachedAt: string | null;
  readonly reachedId: string | null;
}

/** Size of a term, known before its entries are read. */
export interface TermSize {
  /** Number of its entries, up to `fewEntries`. */
  readonly count: number;
  /** Words that begin with it, up to `mostWordsOfTerm` and one more. */
  readonly words: readonly string[];
}

/** Entry count below which all entries of a term are read. */
const fewEntries = 5_000;
/** Newest entries that are read of a larger term. */
const newestEntries = 10_000;
/**
 * Number of words with the same beginning above which the newest entries are not read: each word has its own range of
 * the index.
 */
const maxWordsOfTerm = 20;

/** Table of words as this SQL sees it: `at` and `id` of the row that contains a word, and its name. */
export interface WordTable {
  readonly name: string;
  readonly at: string;
  readonly id: string;
}

function entriesSql({ name, at, id }: WordTable): string {
  return `(select ${at} as at, ${id} as id, word, name from ${name}) as entry`;
}

/** Builds SQL of a `TermSize`; the words by a walk from one to the next over the index. */
export function termSizeSql({ name }: WordTable): string {
  const first = `select word from ${name} where ${termCondition} order by word limit 1`;
  const next = `select word from ${name} where word > known.word and word < :termBelow::text order by word limit 1`;
  return `
with recursive known as (
  (${first})
  union all
  select (${next}) from known where known.word is not null
)
select array(select word from known where word is not null limit ${maxWordsOfTerm + 1}) as words, (
  select count(*)::int from (
    select from ${name} where ${termCondition} limit ${fewEntries}
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
  /** SQL for a term with few entries. */
  few: (table: WordTable, isBelow: string) => `
entries as materialized (
  select at, id, name from ${entriesSql(table)} where ${termCondition} and ${isBelow}
), ${named}, ${scanCursorSql([{ rows: 'named', most: ':looks' }])}`,
  /** SQL for a term with many entries: the newest of each of `:words`, and of those the newest. */
  many: (table: WordTable, isBelow: string) => `
entries as materialized (
  select found.at, found.id, found.name from unnest(:words::text[]) as one (word) cross join lateral (
    select at, id, name from ${entriesSql(table)} where entry.word = one.word and ${isBelow}
    order by word, at desc, id desc limit ${newestEntries}
  ) as found
  order by at desc, id desc limit ${newestEntries}
), ${named}, ${scanCursorSql([
    { rows: 'named', most: ':looks' },
    { rows: 'entries', most: String(newestEntries) },
  ])}`,
} as const;

/**
 * Builds SQL of `reached`: the last of these rows if their number reaches the limit, and of two such the newer. No row
 * if everything was examined.
 */
export function scanCursorSql(looks: readonly { readonly rows: string; readonly most: string }[]): string {
  const ends = looks.map(
    ({ rows, most }) =>
      `(select at, id from ${rows} where (select count(*) from ${rows}) >= ${most}::int order by at, id limit 1)`,
  );
  return `reached as (
  select at, id from (${ends.join(' union all ')}) as ends order by at desc, id desc limit 1
)`;
}

/** Builds SQL that begins each row of an answer with how far the search went. */
export function withScanCursor(found: string): string {
  return `select reached.at as "reachedAt", reached.id as "reachedId", found.*
from (select) as once left join reached on true left join (${found}) as found on true`;
}

export function toScanResult<Row extends ScanRow>(rows: readonly Row[]): ScanResult<Row & { id: string }> {
  const [{ reachedAt, reachedId } = { reachedAt: null, reachedId: null }] = rows;
  return {
    rows: rows.filter((row): row is Row & { id: string } => row.id !== null),
    reached: reachedAt === null || reachedId === null ? null : { at: reachedAt, id: reachedId },
  };
}

/** Wraps the rows of an index search, which reads to the end. */
export async function wholeScan<Row>(rows: Promise<Row[]>): Promise<ScanResult<Row>> {
  return { rows: await rows, reached: null };
}

/** Ways to search for a name, each bounded, whatever is stored. */
export interface NameSearches<Row> {
  /** Examines that many of the newest rows that match the other filters for the name. */
  walk(terms: Terms, distance: 'near' | 'far'): Promise<ScanResult<Row>>;
  size(range: TermRange): Promise<TermSize>;
  few(terms: Terms): Promise<ScanResult<Row>>;
  many(terms: Terms & Pick<TermSize, 'words'>): Promise<ScanResult<Row>>;
}

interface NameSearch {
  /** Ways to search for the same name, each by another of its terms. */
  readonly alternatives: readonly Terms[];
  readonly limit: number;
  /** The name belongs to one person, or nearly: few rows have it, whatever the other filters. */
  readonly isRare: boolean;
}

/**
 * Searches one page by a name. It first examines the newest rows of all: if the name is frequent among them, they fill
 * the page. Otherwise it reads the entries of the term with the fewest, all of them if they are few. If neither fills
 * the page or reaches the end, the search that went further back counts, and states how far.
 */
export async function boundedScan<Row>(
  looks: NameSearches<Row>,
  { alternatives, limit, isRare }: NameSearch,
): Promise<ScanResult<Row>> {
  const isDone = ({ rows, reached }: ScanResult<Row>) => rows.length >= limit || reached === null;
  const [any] = alternatives;
  if (any === undefined) throw new Error('there is nothing to look for');
  const walked = isRare ? undefined : await looks.walk(any, 'near');
  if (walked !== undefined && isDone(walked)) return walked;
  const sizes = await Promise.all(
    alternatives.map(async (terms) => ({ ...terms, ...(await looks.size(terms)) })),
  );
  const [rarest] = sizes
    .filter(({ count, words }) => count < fewEntries || words.length <= maxWordsOfTerm)
    .toSorted((a, b) => a.count - b.count);
  if (rarest === undefined) return looks.walk(any, 'far');
  const read = await (rarest.count < fewEntries ? looks.few(rarest) : looks.many(rarest));
  return walked === undefined || isDone(read) || toSortKey(read) < toSortKey(walked) ? read : walked;
}

/** Formats the end of a search as a text that sorts in its order. */
function toSortKey({ reached }: ScanResult<unknown>): string {
  return reached === null ? '' : `${new Date(reached.at).toISOString()} ${reached.id}`;
}
