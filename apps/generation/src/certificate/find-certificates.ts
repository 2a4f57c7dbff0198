import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
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
  toScanResult,
  toSearchTerms,
  toTerms,
  type WordTable,
  wholeScan,
  withScanCursor,
} from '@rubrica/database/search';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { invalidField } from '@rubrica/process/errors';
import { formatNumberTerm } from './search-terms.ts';

export type CertificateFilters = Omit<OperatorInput<'certificates.search'>, 'cursor' | 'limit'>;

/** Range of a page, newest first: starts below this position. */
export interface PageRange {
  readonly belowAt: Date | 'infinity';
  readonly belowId: string;
  readonly limit: number;
}

/** Position of the first page. */
export const firstPagePosition = {
  belowAt: 'infinity',
  belowId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
} as const;

export interface FoundCertificateId {
  readonly id: string;
}
/** Filters on columns of the row; null matches any. */
export interface FilterParams {
  readonly now: Date;
  readonly status: CertificateFilters['status'] | null;
  readonly endsFrom: Date | '-infinity';
  readonly endsBelow: Date | 'infinity';
  readonly serial: string | null;
  readonly requestId: string | null;
}

const below = (at: string) => `(${at}, id) < (:belowAt::timestamptz, :belowId::uuid)`;
export const belowPositionSql = below('issued_at');
export const newestFirstSql = 'order by issued_at desc, id desc';

/** Computes the status as `standing.ts` does. */
const statusSql = `case when revoked_at is not null or held_at is not null then 'REVOKED'
  when not_after < :now::timestamptz then 'EXPIRED' else 'VALID' end`;
export const filterSql = `(:status::text is null or ${statusSql} = :status)
  and not_after >= :endsFrom::timestamptz and not_after < :endsBelow::timestamptz
  and (:serial::text is null or serial = :serial) and (:requestId::uuid is null or request_id = :requestId)`;

const matchesNameSql = `(:termFrom::text is null or exists (
  select from certificate_word where certificate_word.certificate_id = certificate.id and ${rowWordCondition}))`;

export type Page = (limit: string) => string;

function newest(limit: string): string {
  return `select id, issued_at from certificate where ${belowPositionSql} ${newestFirstSql} limit ${limit}`;
}

/**
 * Builds a page as the newest rows of each validity length, each read from a range of an index, and merges them. Rows
 * of one length have the same order of issuance and of expiry. One comparison sets the start, the lower of the page's
 * bound and the expiry bound: with two, PostgreSQL starts at one and scans all rows that the other excludes. The sort
 * includes the length, although it is constant: otherwise PostgreSQL walks the index by time over rows that do not
 * match. Other filters apply outside the range: PostgreSQL expects few matches and would sort the whole range to find
 * one row.
 * @param ofIndex condition that selects the index of revoked rows, or empty
 */
export function pageByLifetimeSql(ofIndex: string): Page {
  const lengths = `select lifetime_days from certificate where true ${ofIndex}`;
  return (limit) => `
  with recursive lifetime as (
    (${lengths} order by lifetime_days limit 1)
    union all
    select (${lengths} and lifetime_days > lifetime.lifetime_days order by lifetime_days limit 1)
    from lifetime where lifetime.lifetime_days is not null
  )
  select found.id, found.issued_at from lifetime cross join lateral (
    select id, issued_at from (
      select * from certificate
      where certificate.lifetime_days = lifetime.lifetime_days ${ofIndex}
        and issued_at <= least(
          :belowAt::timestamptz, :endsBelow::timestamptz - make_interval(hours => 24 * lifetime.lifetime_days)
        )
        and (issued_at < :belowAt::timestamptz or id < :belowId::uuid)
        and issued_at >= :endsFrom::timestamptz - make_interval(hours => 24 * (lifetime.lifetime_days + 1))
        and issued_at < :endsBelow::timestamptz - make_interval(hours => 24 * lifetime.lifetime_days)
      order by certificate.lifetime_days, issued_at desc, id desc offset 0
    ) as certificate
    where ${filterSql} limit ${limit}
  ) as found
  ${newestFirstSql} limit ${limit}`;
}

export const revokedOnlySql = 'and (revoked_at is not null or held_at is not null)';
const pages = { newest, ofAny: pageByLifetimeSql(''), ofRevoked: pageByLifetimeSql(revokedOnlySql) } as const;
type PageName = keyof typeof pages;

/** Number of newest rows that are scanned for a name before its own index, and where that index does not help. */
const scanRows = { near: 500, far: 4_000 } as const;

/** Maximum number of rows with the name that are checked against the other filters. */
const maxChecks = 1_000;

function scanSql(page: Page): string {
  return `
with walked as materialized (select id, issued_at as at, issued_at from (${page(':walk')}) as page),
found as (select id, issued_at from walked as certificate where ${matchesNameSql} ${newestFirstSql} limit :limit),
${scanCursorSql([{ rows: 'walked', most: ':walk' }])}
${withScanCursor('select * from found')} ${newestFirstSql}`;
}

type Params = PageRange & FilterParams;
type WalkParams = Params & Terms & { readonly walk: number };

function createStatements(name: PageName) {
  const sql = pages[name];
  return {
    find: statement<Params, FoundCertificateId>({
      name: `certificates-${name}`,
      sql: `select id from (${sql(':limit')}) as page ${newestFirstSql}`,
    }),
    walk: statement<WalkParams, ScanRow>({ name: `walk-certificates-${name}`, sql: scanSql(sql) }),
  };
}
const statements = {
  newest: createStatements('newest'),
  ofAny: createStatements('ofAny'),
  ofRevoked: createStatements('ofRevoked'),
} as const satisfies Record<PageName, unknown>;

type FewParams = Params & { readonly [Name in keyof Terms]: Terms[Name] | null };
function exactMatch(by: string) {
  return statement<FewParams, FoundCertificateId>({
    name: `certificates-by-${by}`,
    sql: `select id from certificate where ${by} and ${filterSql} and ${matchesNameSql} and ${belowPositionSql} ${newestFirstSql} limit :limit`,
  });
}
const bySerial = exactMatch('serial = :serial');
const byRequest = exactMatch('request_id = :requestId');

const wordTable: WordTable = { name: 'certificate_word', at: 'issued_at', id: 'certificate_id' };

const sizeOfTerm = statement<TermRange, TermSize>({
  name: 'size-of-certificate-term',
  sql: termSizeSql(wordTable),
});

type NamedParams = Params & { readonly looks: number };

function nameSearchSql(named: (table: WordTable, isBelow: string) => string): string {
  return `
with ${named(wordTable, below('at'))},
page as (
  select named.id, named.at from named
    cross join lateral (select from certificate where certificate.id = named.id and ${filterSql} offset 0) as meant
  order by named.at desc, named.id desc limit :limit
)
${withScanCursor('select * from page')} order by found.at desc, found.id desc`;
}

const byName = {
  few: statement<NamedParams & Terms, ScanRow>({
    name: 'certificates-by-name',
    sql: nameSearchSql(namedSql.few),
  }),
  many: statement<NamedParams & Omit<Terms, keyof TermRange> & Pick<TermSize, 'words'>, ScanRow>({
    name: 'certificates-by-frequent-name',
    sql: nameSearchSql(namedSql.many),
  }),
} as const;

/**
 * Converts name and number of a search to alternative terms; undefined without either.
 * @throws AppError FIELD_INVALID for a name without a letter or a digit
 */
function toAlternatives({ name, identificationNumber }: CertificateFilters): readonly Terms[] | undefined {
  const wordTable = toSearchTerms(name ?? '');
  if (name !== undefined && wordTable.length === 0)
    throw invalidField('name', createFieldText('name', createText('field.noLetters')));
  if (identificationNumber !== undefined) {
    const term = formatNumberTerm(identificationNumber);
    // The range contains the number only: a space sorts before all characters that may follow.
    return [{ termFrom: term, termBelow: `${term} `, patterns: namePatterns(wordTable) }];
  }
  return wordTable.length === 0 ? undefined : toTerms(wordTable);
}

/** Finds at most `limit` certificates below a position, newest first. */
export function findCertificates(
  target: StatementTarget,
  filters: CertificateFilters,
  { now, ...stretch }: PageRange & { readonly now: Date },
): Promise<ScanResult<FoundCertificateId>> {
  const alternatives = toAlternatives(filters);
  const params = { ...stretch, ...toFilterParams(filters, now) };
  const terms = alternatives?.[0] ?? noTerms;
  if (params.serial !== null) return wholeScan(bySerial.run(target, { ...params, ...terms }));
  if (params.requestId !== null) return wholeScan(byRequest.run(target, { ...params, ...terms }));
  if (alternatives === undefined)
    return wholeScan(statements[selectPageName(params)].find.run(target, params));
  return findNamed(target, params, alternatives);
}

export function toFilterParams({ status, ...filters }: FilterInput, now: Date): FilterParams {
  const from = filters.notAfterFrom === undefined ? '-infinity' : new Date(filters.notAfterFrom);
  const to = filters.notAfterTo === undefined ? 'infinity' : new Date(filters.notAfterTo);
  return {
    now,
    status: status ?? null,
    endsFrom: status === 'VALID' && (from === '-infinity' || from < now) ? now : from,
    endsBelow: status === 'EXPIRED' && (to === 'infinity' || to > now) ? now : to,
    serial: filters.serialNumber?.toUpperCase() ?? null,
    requestId: filters.requestId ?? null,
  };
}

export type FilterInput = Pick<
  CertificateFilters,
  'status' | 'notAfterFrom' | 'notAfterTo' | 'serialNumber' | 'requestId'
>;

const noTerms = { termFrom: null, termBelow: null, patterns: null };

function findNamed(
  target: StatementTarget,
  params: Params,
  alternatives: readonly Terms[],
): Promise<ScanResult<FoundCertificateId>> {
  const page = selectPageName(params);
  const named = { ...params, looks: page === 'newest' ? params.limit : maxChecks };
  const walk = async (terms: Terms, distance: keyof typeof scanRows) =>
    toScanResult(await statements[page].walk.run(target, { ...params, ...terms, walk: scanRows[distance] }));
  return boundedScan<FoundCertificateId>(
    {
      walk,
      size: async (range) => (await sizeOfTerm.run(target, range))[0] ?? { count: 0, words: [] },
      few: async (terms) => toScanResult(await byName.few.run(target, { ...named, ...terms })),
      many: async (terms) => toScanResult(await byName.many.run(target, { ...named, ...terms })),
    },
    { alternatives, limit: params.limit, isRare: alternatives.some(isNumber) },
  );
}

/** Recognises the term of an identification number, which belongs to one person and so is rare under any filter. */
function isNumber({ termFrom }: Terms): boolean {
  return termFrom.startsWith('#');
}

export function selectPageName({ status, endsFrom, endsBelow }: FilterParams): PageName {
  if (status === 'REVOKED') return 'ofRevoked';
  return status === null && endsFrom === '-infinity' && endsBelow === 'infinity' ? 'newest' : 'ofAny';
}
