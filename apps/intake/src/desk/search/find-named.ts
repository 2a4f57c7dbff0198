import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import {
  isWordOfRow,
  type Looked,
  type LookedRow,
  lookBack,
  lookedOf,
  namedSql,
  namePatterns,
  reachedSql,
  type StatementTarget,
  searchWords,
  statement,
  type TermRange,
  type TermSize,
  type Terms,
  termSizeSql,
  termsOfWords,
  termsWithPrefix,
  type WordTable,
  withReached,
} from '@rubrica/database';
import { invalidField } from '@rubrica/process';
import { emailTerm } from '../../requests/request/request-words.ts';
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

/** What is asked for by name and address. */
export interface Sought {
  /** The ways to say it, each by the address or by a word of the name. */
  readonly alternatives: readonly Terms[];
  readonly address: TermRange | undefined;
}

/** @throws AppError FIELD_INVALID for a name without a letter or a digit */
export function soughtBy({ name, email }: Pick<RequestFilters, 'name' | 'email'>): Sought | undefined {
  const words = searchWords(name ?? '');
  if (name !== undefined && words.length === 0)
    throw invalidField('name', createFieldText('name', createText('field.noLetters')));
  const byWords = termsOfWords(words);
  if (email === undefined)
    return words.length === 0 ? undefined : { alternatives: byWords, address: undefined };
  const address = termsWithPrefix(emailTerm(email));
  return { alternatives: [{ ...address, patterns: namePatterns(words) }, ...byWords], address };
}

const words: WordTable = { name: 'request_word', at: 'created_at', id: 'request_id' };

const sizeOfTerm = statement<TermRange, TermSize>({ name: 'size-of-request-term', sql: termSizeSql(words) });

/**
 * Of a row of `request`, or of what stands for it; true where no terms are given. `offset 0`: looked up for each row; the
 * planner would rather read the words of all requests once.
 */
export const isNamed = `(:termFrom::text is null
  or exists (select from request_word where request_word.request_id = request.id and ${isWordOfRow} offset 0))`;

/**
 * So many of the newest are looked at for the name before its own index is, and so many where that is no use. Reading an
 * entry of that index costs a tenth of a look at a request, which states ask for.
 */
const walks = { near: { ofAll: 500, ofStates: 1_000 }, far: { ofAll: 4_000, ofStates: 2_000 } } as const;

/** Of those with the name so many are looked at for the states, the partner and the address that are meant. */
const mostLooks = 1_000;

type Found = LookedRow & NamedRequest;
type WalkParams = Stretch & Terms & { readonly walk: number };

function walking(page: Page): string {
  return `
with walked as materialized (select id, created_at as at, created_at from (${page(':walk')}) as page),
found as (
  select id, created_at from walked as request where ${isNamed} order by created_at desc, id desc limit :limit
), shown as (${shown('select * from found')}), ${reachedSql([{ rows: 'walked', most: ':walk' }])}
${withReached('select * from shown')} order by "createdAt" desc, id desc`;
}

const walkNewest = statement<WalkParams, Found>({ name: 'walk-newest', sql: walking(newestPage) });
const walkStates = statement<WalkParams & States, Found>({
  name: 'walk-states',
  sql: walking(pageOfStates('')),
});
const walkPartner = statement<WalkParams & States & Pick<MeantParams, 'partnerId'>, Found>({
  name: 'walk-partner',
  sql: walking(pageOfStates(ofPartner)),
});

interface AddressParams {
  readonly addressFrom: string | null;
  readonly addressBelow: string | null;
}
type NamedParams = Stretch & MeantParams & AddressParams & { readonly looks: number };

const hasAddress = `(:addressFrom::text is null or exists (select from request_word where request_word.request_id = request.id
      and (word || '') >= :addressFrom and (word || '') < :addressBelow::text offset 0))`;

function finding(named: (table: WordTable, isBelow: string) => string): string {
  return `
with ${named(words, isBelow('at'))},
page as (
  select meant.*, named.at from named
    cross join lateral (
      select ${columns} from request where request.id = named.id and ${isMeant} and ${hasAddress} offset 0
    ) as meant
  order by named.at desc, named.id desc limit :limit
)
${withReached('select * from page')} order by found.at desc, found.id desc`;
}

const findByName = {
  few: statement<NamedParams & Terms, Found>({ name: 'requests-by-name', sql: finding(namedSql.few) }),
  many: statement<NamedParams & Omit<Terms, keyof TermRange> & Pick<TermSize, 'words'>, Found>({
    name: 'requests-by-frequent-name',
    sql: finding(namedSql.many),
  }),
} as const;

interface Named {
  readonly sought: Sought;
  readonly stretch: Stretch;
  readonly meant: MeantParams;
  readonly states: States;
}

/** By name or e-mail address, with any of the filters on states and partner. */
export function findNamed(target: StatementTarget, named: Named): Promise<Looked<NamedRequest>> {
  const { sought, stretch, meant, states } = named;
  const { alternatives, address } = sought;
  const { partnerId, family, status, validationStatus } = meant;
  const isOpen = [partnerId, family, status, validationStatus].every((value) => value === null);
  const params = {
    ...{ ...stretch, ...meant, looks: isOpen && address === undefined ? stretch.limit : mostLooks },
    ...{ addressFrom: address?.termFrom ?? null, addressBelow: address?.termBelow ?? null },
  };
  const walk = async (terms: Terms, distance: keyof typeof walks) => {
    const { ofAll, ofStates } = walks[distance];
    const walking = { ...stretch, ...terms, walk: isOpen ? ofAll : ofStates };
    if (isOpen) return lookedOf(await walkNewest.run(target, walking));
    if (partnerId === null) return lookedOf(await walkStates.run(target, { ...walking, ...states }));
    return lookedOf(await walkPartner.run(target, { ...walking, ...states, partnerId }));
  };
  return lookBack<NamedRequest>(
    {
      walk,
      size: async (range) => (await sizeOfTerm.run(target, range))[0] ?? { count: 0, words: [] },
      few: async (terms) => lookedOf(await findByName.few.run(target, { ...params, ...terms })),
      many: async (terms) => lookedOf(await findByName.many.run(target, { ...params, ...terms })),
    },
    { alternatives, limit: stretch.limit, isRare: address !== undefined && isWhole(address) },
  );
}

/** One person's, or nearly: few have it, whatever else is asked for. */
function isWhole({ termFrom }: TermRange): boolean {
  return termFrom.lastIndexOf('@') > 0;
}
