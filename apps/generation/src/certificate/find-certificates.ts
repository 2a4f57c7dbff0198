import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
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
import { mostWords, numberTerm } from './certificate-words.ts';

export type CertificateFilters = Omit<OperatorInput<'certificates.search'>, 'cursor' | 'limit'>;

/** Begins below this place, newest first; the first page begins above all. */
export interface Stretch {
  readonly belowAt: Date | 'infinity';
  readonly belowId: string;
  readonly limit: number;
}

interface Found {
  readonly id: string;
}
interface Walked {
  readonly id: string | null;
  readonly walked: number;
}

/** One of what is asked for, and the other words. */
interface Terms extends TermRange {
  /** Of `like`, over the name that stands beside each term. */
  readonly patterns: readonly string[];
  /** All of the name, where it is one of them that is looked for. */
  readonly words: readonly string[];
}

/** Filters on columns of the row itself; null: any. */
interface Meant {
  readonly now: Date;
  readonly status: CertificateFilters['status'] | null;
  readonly endsFrom: Date | '-infinity';
  readonly endsBelow: Date | 'infinity';
  readonly serial: string | null;
  readonly requestId: string | null;
}

const isBelow = '(issued_at, id) < (:belowAt::timestamptz, :belowId::uuid)';
const newestFirst = 'order by issued_at desc, id desc';

/** As `standing.ts` says it. */
const status = `case when revoked_at is not null or held_at is not null then 'REVOKED'
  when not_after < :now::timestamptz then 'EXPIRED' else 'VALID' end`;
const isMeant = `(:status::text is null or ${status} = :status)
  and not_after >= :endsFrom::timestamptz and not_after < :endsBelow::timestamptz
  and (:serial::text is null or serial = :serial) and (:requestId::uuid is null or request_id = :requestId)`;

const isNamed = `(:termFrom::text is null or exists (
  select from certificate_word where certificate_word.certificate_id = certificate.id and ${isWordOfRow}))`;

type Page = (limit: string) => string;

function newest(limit: string): string {
  return `select id, issued_at from certificate where ${isBelow} ${newestFirst} limit ${limit}`;
}

/**
 * The newest of each length of validity, each by a stretch of an index, and of those the newest: of one length the order of
 * issuance is that of the ends. The stretch begins at the page's bound or at that of the end, whichever is lower, said in one
 * comparison: of two PostgreSQL begins at one, and walks over all that the other leaves out. The length stands in the order
 * too, although there is one: the index of all by time would be walked over what is not meant. What is meant is asked
 * outside of the stretch: PostgreSQL takes it for rare, and would sort the whole stretch to find one row.
 * @param ofIndex a condition that names the index with nothing but what is revoked, or nothing
 */
function byLifetime(ofIndex: string): Page {
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
    where ${isMeant} limit ${limit}
  ) as found
  ${newestFirst} limit ${limit}`;
}

const ofRevoked = 'and (revoked_at is not null or held_at is not null)';
const pages = { newest, ofAny: byLifetime(''), ofRevoked: byLifetime(ofRevoked) } as const;
type PageName = keyof typeof pages;

/** So many are looked at for the name before its own index is: where they give no page, the name is rare among them. */
const walked = 500;

function walking(page: Page): string {
  return `
with walked as materialized (${page(':walk')}),
found as (select id, issued_at from walked as certificate where ${isNamed} ${newestFirst} limit :limit)
select (select count(*) from walked)::int as walked, found.id from (select) as once left join found on true
${newestFirst}`;
}

type Params = Stretch & Meant;
type WalkParams = Params & Terms & { readonly walk: number };

function statementsOf(name: PageName) {
  const sql = pages[name];
  return {
    find: statement<Params, Found>({
      name: `certificates-${name}`,
      sql: `select id from (${sql(':limit')}) as page ${newestFirst}`,
    }),
    walk: statement<WalkParams, Walked>({ name: `walk-certificates-${name}`, sql: walking(sql) }),
  };
}
const statements = {
  newest: statementsOf('newest'),
  ofAny: statementsOf('ofAny'),
  ofRevoked: statementsOf('ofRevoked'),
} as const satisfies Record<PageName, unknown>;

type FewParams = Params & { readonly [Name in Exclude<keyof Terms, 'words'>]: Terms[Name] | null };
function few(by: string) {
  return statement<FewParams, Found>({
    name: `certificates-by-${by}`,
    sql: `select id from certificate where ${by} and ${isMeant} and ${isNamed} and ${isBelow} ${newestFirst} limit :limit`,
  });
}
const bySerial = few('serial = :serial');
const byRequest = few('request_id = :requestId');

/** `entries`: null for all, where not every certificate that has the name is meant. */
const byName = statement<Params & Terms & { readonly entries: number | null }, Found>({
  name: 'certificates-by-name',
  sql: `
select page.id from (
  select distinct issued_at, id from (
    select issued_at, id from (select issued_at, certificate_id as id, word, name from certificate_word) as entry
    where ${isEntryOfTerm} and ${isBelow} ${newestFirst} limit :entries
  ) as entry ${newestFirst}
) as page
  cross join lateral (select from certificate where certificate.id = page.id and ${isMeant} offset 0) as meant
order by page.issued_at desc, page.id desc limit :limit`,
});

/** @throws AppError FIELD_INVALID for a name without a letter or a digit */
function termsOf({ name, identificationNumber }: CertificateFilters): Terms | undefined {
  const words = searchWords(name ?? '');
  if (name !== undefined && words.length === 0)
    throw invalidField('name', 'name has no letters to search for');
  if (identificationNumber !== undefined) {
    const term = numberTerm(identificationNumber);
    // Nothing but the number itself lies below: a space is before all that may follow.
    return { termFrom: term, termBelow: `${term} `, patterns: namePatterns(words), words: [] };
  }
  return words.length === 0 ? undefined : termsOfWords(words);
}

function termsOfWords(words: readonly string[]): Terms {
  const [first = '', ...others] = words;
  return { ...termsWithPrefix(first), patterns: namePatterns(others), words };
}

const countWord = statement<TermRange, { readonly count: number }>({
  name: 'count-certificate-word',
  sql: countTermSql('certificate_word'),
});

/** Ids of at most `limit` certificates below a place, newest first. */
export async function findCertificates(
  target: StatementTarget,
  filters: CertificateFilters,
  { now, ...stretch }: Stretch & { readonly now: Date },
): Promise<string[]> {
  const terms = termsOf(filters);
  const params = { ...stretch, ...meantBy(filters, now) };
  const rows = await (terms === undefined ? findUnnamed(target, params) : findNamed(target, params, terms));
  return rows.map(({ id }) => id);
}

function meantBy({ status, ...filters }: CertificateFilters, now: Date): Meant {
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

const noTerms = { termFrom: null, termBelow: null, patterns: null };

function findUnnamed(target: StatementTarget, params: Params): Promise<Found[]> {
  if (params.serial !== null) return bySerial.run(target, { ...params, ...noTerms });
  if (params.requestId !== null) return byRequest.run(target, { ...params, ...noTerms });
  return statements[pageOf(params)].find.run(target, params);
}

async function findNamed(target: StatementTarget, params: Params, terms: Terms): Promise<Found[]> {
  const named = { ...params, ...terms };
  if (params.serial !== null) return bySerial.run(target, named);
  if (params.requestId !== null) return byRequest.run(target, named);
  const page = pageOf(params);
  if (!terms.termFrom.startsWith('#')) {
    const rows = await statements[page].walk.run(target, { ...named, walk: walked });
    const found = rows.flatMap(({ id }) => (id === null ? [] : { id }));
    if (found.length >= params.limit || (rows[0]?.walked ?? 0) < walked) return found;
  }
  const words = await rarestFirst(terms.words, (range) => countWord.run(target, range));
  const rarest = words.length === 0 ? terms : termsOfWords(words);
  const entries = page === 'newest' ? params.limit * mostWords : null;
  return byName.run(target, { ...params, ...rarest, entries });
}

function pageOf({ status, endsFrom, endsBelow }: Meant): PageName {
  if (status === 'REVOKED') return 'ofRevoked';
  return status === null && endsFrom === '-infinity' && endsBelow === 'infinity' ? 'newest' : 'ofAny';
}
