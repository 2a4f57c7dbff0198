import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import {
  boundedScan,
  namedSql,
  namePatterns,
  rowWordCondition,
  type ScanResult,
  type ScanRow,
  scanCursorSql,
  type TermRange,
  type TermSize,
  type Terms,
  termSizeSql,
  termsWithPrefix,
  toScanResult,
  toSearchTerms,
  toTerms,
  type WordTable,
  withScanCursor,
} from '@rubrica/database/search';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { invalidField } from '@rubrica/process/errors';
import { emailTerm } from '../../requests/request/search-terms.ts';
import {
  buildNewestPageSql,
  buildStatePageSql,
  columns,
  isBelowSql,
  matchesFiltersSql,
  type NamedRequest,
  type Page,
  partnerConditionSql,
  publicPart,
  type RequestFilterParams,
  type RequestFilters,
  type States,
  type Stretch,
} from './listed-requests.ts';

/** Search by name and address. */
export interface NameSearch {
  /** Alternative terms, each by the address or by a word of the name. */
  readonly alternatives: readonly Terms[];
  readonly address: TermRange | undefined;
}

/** @throws AppError FIELD_INVALID for a name without a letter or a digit */
export function toNameSearch({
  name,
  email,
}: Pick<RequestFilters, 'name' | 'email'>): NameSearch | undefined {
  const words = toSearchTerms(name ?? '');
  if (name !== undefined && words.length === 0)
    throw invalidField('name', createFieldText('name', createText('field.noLetters')));
  const byWords = toTerms(words);
  if (email === undefined)
    return words.length === 0 ? undefined : { alternatives: byWords, address: undefined };
  const address = termsWithPrefix(emailTerm(email));
  return { alternatives: [{ ...address, patterns: namePatterns(words) }, ...byWords], address };
}

const words: WordTable = { name: 'request_word', at: 'created_at', id: 'request_id' };

const sizeOfTerm = statement<TermRange, TermSize>({ name: 'size-of-request-term', sql: termSizeSql(words) });

/**
 * SQL on a row of `request`, or of its stand-in; true if no terms are given. `offset 0` forces a look-up for
 * each row; the planner would rather read the words of all requests once.
 */
export const matchesNameSql = `(:termFrom::text is null
  or exists (select from request_word where request_word.request_id = request.id and ${rowWordCondition} offset 0))`;

/**
 * Numbers of newest requests searched before the name's own index, and after it if the index is of no use.
 * Reading an entry of that index costs a tenth of a look at a request, which states need.
 */
const walks = { near: { ofAll: 500, ofStates: 1_000 }, far: { ofAll: 4_000, ofStates: 2_000 } } as const;

/** Maximum of requests with the name that are checked for the states, the partner and the address. */
const maxLooks = 1_000;

type FoundRow = ScanRow & NamedRequest;
type WalkParams = Stretch & Terms & { readonly walk: number };

function buildWalkSql(page: Page): string {
  return `
with walked as materialized (select id, created_at as at, created_at from (${page(':walk')}) as page),
found as (
  select id, created_at from walked as request where ${matchesNameSql} order by created_at desc, id desc limit :limit
), shown as (${publicPart('select * from found')}), ${scanCursorSql([{ rows: 'walked', most: ':walk' }])}
${withScanCursor('select * from shown')} order by "createdAt" desc, id desc`;
}

const walkNewest = statement<WalkParams, FoundRow>({
  name: 'walk-newest',
  sql: buildWalkSql(buildNewestPageSql),
});
const walkStates = statement<WalkParams & States, FoundRow>({
  name: 'walk-states',
  sql: buildWalkSql(buildStatePageSql('')),
});
const walkPartner = statement<WalkParams & States & Pick<RequestFilterParams, 'partnerId'>, FoundRow>({
  name: 'walk-partner',
  sql: buildWalkSql(buildStatePageSql(partnerConditionSql)),
});

interface AddressParams {
  readonly addressFrom: string | null;
  readonly addressBelow: string | null;
}
type NamedParams = Stretch & RequestFilterParams & AddressParams & { readonly looks: number };

const hasAddress = `(:addressFrom::text is null or exists (select from request_word where request_word.request_id = request.id
      and (word || '') >= :addressFrom and (word || '') < :addressBelow::text offset 0))`;

function buildFindSql(named: (table: WordTable, isBelow: string) => string): string {
  return `
with ${named(words, isBelowSql('at'))},
page as (
  select meant.*, named.at from named
    cross join lateral (
      select ${columns} from request where request.id = named.id and ${matchesFiltersSql} and ${hasAddress} offset 0
    ) as meant
  order by named.at desc, named.id desc limit :limit
)
${withScanCursor('select * from page')} order by found.at desc, found.id desc`;
}

const findByName = {
  few: statement<NamedParams & Terms, FoundRow>({
    name: 'requests-by-name',
    sql: buildFindSql(namedSql.few),
  }),
  many: statement<NamedParams & Omit<Terms, keyof TermRange> & Pick<TermSize, 'words'>, FoundRow>({
    name: 'requests-by-frequent-name',
    sql: buildFindSql(namedSql.many),
  }),
} as const;

interface NamedSearch {
  readonly sought: NameSearch;
  readonly stretch: Stretch;
  readonly meant: RequestFilterParams;
  readonly states: States;
}

/** Finds requests by name or e-mail address, with any of the filters on states and partner. */
export function findRequestsByName(
  target: StatementTarget,
  search: NamedSearch,
): Promise<ScanResult<NamedRequest>> {
  const { sought, stretch, meant, states } = search;
  const { alternatives, address } = sought;
  const { partnerId, family, status, validationStatus } = meant;
  const isOpen = [partnerId, family, status, validationStatus].every((value) => value === null);
  const params = {
    ...{ ...stretch, ...meant, looks: isOpen && address === undefined ? stretch.limit : maxLooks },
    ...{ addressFrom: address?.termFrom ?? null, addressBelow: address?.termBelow ?? null },
  };
  const walk = async (terms: Terms, distance: keyof typeof walks) => {
    const { ofAll, ofStates } = walks[distance];
    const walkParams = { ...stretch, ...terms, walk: isOpen ? ofAll : ofStates };
    if (isOpen) return toScanResult(await walkNewest.run(target, walkParams));
    if (partnerId === null) return toScanResult(await walkStates.run(target, { ...walkParams, ...states }));
    return toScanResult(await walkPartner.run(target, { ...walkParams, ...states, partnerId }));
  };
  return boundedScan<NamedRequest>(
    {
      walk,
      size: async (range) => (await sizeOfTerm.run(target, range))[0] ?? { count: 0, words: [] },
      few: async (terms) => toScanResult(await findByName.few.run(target, { ...params, ...terms })),
      many: async (terms) => toScanResult(await findByName.many.run(target, { ...params, ...terms })),
    },
    { alternatives, limit: stretch.limit, isRare: address !== undefined && isWhole(address) },
  );
}

/**
 * Returns whether the term is a whole address, which only one person or few have, whatever else is asked for.
 */
function isWhole({ termFrom }: TermRange): boolean {
  return termFrom.lastIndexOf('@') > 0;
}
