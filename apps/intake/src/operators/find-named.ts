import {
  countTermSql,
  isEntryOfTerm,
  isWordOfRow,
  namePatterns,
  rarestFirst,
  type StatementTarget,
  searchWords,
  statement,
  type TermRange,
  termsWithPrefix,
} from '@rubrica/database';
import { invalidField } from '@rubrica/process';
import { emailTerm, mostWords } from '../request/request-words.ts';
import {
  columns,
  isBelow,
  isMeant,
  type MeantParams,
  type NamedRequest,
  newestPage,
  ofPartner,
  type Page,
  pageOfStates,
  type RequestFilters,
  type States,
  type Stretch,
  shown,
} from './listed-requests.ts';

/** One of what is asked for, and the other words. */
export interface Terms extends TermRange {
  /** Of `like`, over the name that stands beside each term. */
  readonly patterns: readonly string[];
  /** All of the name, where it is one of them that is looked for. */
  readonly words: readonly string[];
}

/** @throws AppError FIELD_INVALID for a name without a letter or a digit */
export function termsOf({ name, email }: Pick<RequestFilters, 'name' | 'email'>): Terms | undefined {
  const words = searchWords(name ?? '');
  if (name !== undefined && words.length === 0)
    throw invalidField('name', 'name has no letters to search for');
  if (email !== undefined)
    return { ...termsWithPrefix(emailTerm(email)), patterns: namePatterns(words), words: [] };
  return words.length === 0 ? undefined : termsOfWords(words);
}

function termsOfWords(words: readonly string[]): Terms {
  const [first = '', ...others] = words;
  return { ...termsWithPrefix(first), patterns: namePatterns(others), words };
}

const countWord = statement<TermRange, { readonly count: number }>({
  name: 'count-request-word',
  sql: countTermSql('request_word'),
});

/**
 * Of a row of `request`, or of what stands for it; true where no terms are given. `offset 0`: looked up for each row; the
 * planner would rather read the words of all requests once.
 */
export const isNamed = `(:termFrom::text is null
  or exists (select from request_word where request_word.request_id = request.id and ${isWordOfRow} offset 0))`;

/**
 * So many of the newest are looked at for the name before its own index is. Where they give no page, the name is rare
 * among them: then its index has few, wherever it is spread alike. Reading an entry of that index costs a tenth of a look at
 * a request, which states ask for.
 */
const walked = { ofAll: 500, ofStates: 3_000 } as const;

interface Walked extends NamedRequest {
  readonly walked: number;
}
type WalkParams = Stretch & Terms & { readonly walk: number };

function walking(page: Page): string {
  return `
with walked as materialized (${page(':walk')}),
found as (
  select id, created_at from walked as request where ${isNamed} order by created_at desc, id desc limit :limit
), shown as (${shown('select * from found')})
select (select count(*) from walked)::int as walked, shown.* from (select) as once left join shown on true
order by "createdAt" desc, id desc`;
}

const walkNewest = statement<WalkParams, Walked>({ name: 'walk-newest', sql: walking(newestPage) });
const walkStates = statement<WalkParams & States, Walked>({
  name: 'walk-states',
  sql: walking(pageOfStates('')),
});
const walkPartner = statement<WalkParams & States & Pick<MeantParams, 'partnerId'>, Walked>({
  name: 'walk-partner',
  sql: walking(pageOfStates(ofPartner)),
});

/** `entries`: null for all, where not every request that has the name is meant. */
type NamedParams = Stretch & Terms & MeantParams & { readonly entries: number | null };

const findByName = statement<NamedParams, NamedRequest>({
  name: 'requests-by-name',
  sql: `
select shown.* from (
  select distinct created_at, id from (
    select created_at, id from (select created_at, request_id as id, word, name from request_word) as entry
    where ${isEntryOfTerm} and ${isBelow} order by created_at desc, id desc limit :entries
  ) as entry
  order by created_at desc, id desc
) as page
  cross join lateral (select ${columns} from request where request.id = page.id and ${isMeant} offset 0) as shown
order by page.created_at desc, page.id desc limit :limit`,
});

interface Named {
  readonly terms: Terms;
  readonly stretch: Stretch;
  readonly meant: MeantParams;
  readonly states: States;
}

/** By name or e-mail address, with any of the filters on states and partner. */
export async function findNamed(target: StatementTarget, named: Named): Promise<NamedRequest[]> {
  const { terms, stretch, meant } = named;
  const { partnerId, family, status, validationStatus } = meant;
  const isOpen = [partnerId, family, status, validationStatus].every((value) => value === null);
  if (!isAddress(terms)) {
    const rows = await walk(target, named, isOpen);
    const found = rows.filter(({ id }) => id !== null);
    const mostWalked = isOpen ? walked.ofAll : walked.ofStates;
    if (found.length >= stretch.limit || (rows[0]?.walked ?? 0) < mostWalked) return found;
  }
  const words = await rarestFirst(terms.words, (range) => countWord.run(target, range));
  const rarest = words.length === 0 ? terms : termsOfWords(words);
  const entries = isOpen ? stretch.limit * mostWords : null;
  return findByName.run(target, { ...stretch, ...rarest, ...meant, entries });
}

function walk(target: StatementTarget, named: Named, isOpen: boolean): Promise<Walked[]> {
  const { partnerId } = named.meant;
  const params = { ...named.stretch, ...named.terms, walk: walked.ofStates };
  if (isOpen) return walkNewest.run(target, { ...params, walk: walked.ofAll });
  if (partnerId === null) return walkStates.run(target, { ...params, ...named.states });
  return walkPartner.run(target, { ...params, ...named.states, partnerId });
}

/** One person's, or nearly: few have it, whatever else is asked for. */
function isAddress({ termFrom }: Terms): boolean {
  return termFrom.lastIndexOf('@') > 0;
}
