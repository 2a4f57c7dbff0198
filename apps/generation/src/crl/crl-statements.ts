import type { EntryMac } from '@rubrica/database/entries';
import { lease } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';

/** Issuer of a list and shard of its certificates; shard 0 covers all of them. */
export interface Shard {
  readonly issuer: string;
  readonly shard: number;
}

export const ensureRows = statement<{ issuers: readonly string[]; shards: readonly number[] }>({
  name: 'ensure-crls',
  sql: `
insert into crl (issuer, shard)
select issuer, shard from unnest(:issuers::text[]) as issuer, unnest(:shards::integer[]) as shard
on conflict do nothing`,
});

export interface LeaseRow extends Shard {
  readonly isDelta: boolean;
  readonly fence: number;
  readonly number: string;
  readonly changes: string;
  readonly previous: string | null;
  readonly baseNumber: string | null;
  readonly baseChanges: string | null;
  readonly now: string;
  readonly leasedAt: string;
}

// Lists of one shard with the same time would need the same content (RFC 5280 §5.2.3), so each gets its own second.
// The times of the row bring a list forward and do not delay it beyond the rules: the role of the database can set them.
const isCompleteDue = `(renew_at is null or least(renew_at, this_update + make_interval(secs => renew_seconds)) <= now()
      or (changes > signed_changes and least(rest_until, this_update + make_interval(secs => rest_seconds)) <= now()))
    and delta_this_update is distinct from date_trunc('second', now())`;
const isDeltaDue = `delta_until > now() and this_update < date_trunc('second', now())
    and (changes > delta_changes or delta_number is null or delta_number < number or delta_renew_at <= now())`;
const oldestBase = `from crl_base
    where (crl_base.issuer, crl_base.shard) = (crl.issuer, crl.shard) and crl_base.next_update > now()
    order by crl_base.number limit 1`;

// Reserves the number before anything is signed under it: a crash wastes it, and no two CRLs share it. A complete list
// comes first: it is seldom due, while a delta may be due at every check. Lists of other shards come last: the setting was
// higher once, or the role of the database has added them.
export const leaseCrl = statement<
  {
    issuers: readonly string[];
    renewSeconds: readonly number[];
    restSeconds: readonly number[];
    shards: number;
    leaseSeconds: number;
  },
  LeaseRow
>({
  name: 'lease-crl',
  sql: `
with due as (
  select issuer, shard, not (${isCompleteDue}) as is_delta
  from crl join unnest(:issuers::text[], :renewSeconds::float8[], :restSeconds::float8[])
    as rule (issuer, renew_seconds, rest_seconds) using (issuer)
  where ${lease.isFree} and ((${isCompleteDue}) or (${isDeltaDue}))
  order by shard <= :shards::integer desc, changes > signed_changes desc, renew_at nulls first
  limit 1 for update of crl skip locked
)
update crl set ${lease.take}, last_number = last_number + 1
from due where crl.issuer = due.issuer and crl.shard = due.shard
returning crl.issuer, crl.shard, is_delta as "isDelta", fence, last_number as number, changes, this_update as previous,
  (select number ${oldestBase}) as "baseNumber", (select changes ${oldestBase}) as "baseChanges",
  date_trunc('second', now()) as now, now() as "leasedAt"`,
});

/** Raises the last number, so that a used number is never used again, whatever the row states. */
export const raiseNumber = statement<Shard & { fence: number; number: number }>({
  name: 'raise-crl-number',
  sql: `
update crl set last_number = greatest(last_number, :number::bigint), ${lease.end}
where issuer = :issuer and shard = :shard and fence = :fence returning 1`,
});

/** Makes a list due whose stored bytes differ from the signed ones. */
export const markCrlDue = statement<Shard>({
  name: 'make-crl-due',
  sql: `
insert into crl (issuer, shard) values (:issuer, :shard)
on conflict (issuer, shard) do update set renew_at = case when crl.number is not null then now() end,
  delta_renew_at = case when crl.delta_number is not null then now() end`,
});

/**
 * Makes lists of earlier releases due, which the audit log does not know, so that lists of this release replace them.
 */
export const markUnprovenDue = statement<Record<never, never>>({
  name: 'make-unproven-crls-due',
  sql: `
update crl set renew_at = now() where number is not null and not exists (
  select from audit_entry where action = 'crl.signed'
    and detail ->> 'target' = 'crl:' || crl.issuer || case when crl.shard = 0 then '' else '-s' || crl.shard end)`,
});

/** Position of the last entry of a page; the next page begins after it. */
export interface PagePosition {
  readonly notAfter: string;
  readonly serial: string;
}
export interface PageRow extends PagePosition {
  /** Serial number, seconds since 1970 and reason, separated by blanks; entries are separated by commas. */
  readonly entries: string;
}

function pageSql(certificates: string): string {
  const last = 'from page order by not_after desc, serial desc limit 1';
  return `
with page as materialized (
  select serial, not_after, case when isfinite(coalesce(held_at, revoked_at))
      then floor(extract(epoch from coalesce(held_at, revoked_at)))::bigint else 0 end as at,
    coalesce(revocation_reason, 'certificateHold') as reason
  from certificate
  where issuer = :issuer and ${certificates} and (revoked_at is not null or held_at is not null)
    and (not_after, serial) > (:notAfter::timestamptz, :serial::text)
  order by not_after, serial limit :limit
)
select string_agg(serial || ' ' || at || ' ' || reason, ',') as entries, (select not_after::text ${last}) as "notAfter",
  (select serial ${last}) as serial
from page having count(*) > 0`;
}

type PageParams = PagePosition & { readonly issuer: string; readonly limit: number };

export const completePage = statement<PageParams, PageRow>({ name: 'crl-page', sql: pageSql('true') });

export const shardPage = statement<PageParams & Shard, PageRow>({
  name: 'crl-shard-page',
  sql: pageSql('crl_shard = :shard and crl_shard > 0'),
});

export interface ChangePosition {
  readonly at: string;
  readonly serial: string;
}
export interface ChangedRow extends ChangePosition {
  /** Separated by commas. */
  readonly serials: string;
}

// Ordered by time, which the role of the database cannot alter. The number of a change shows whether a list that was
// leased during the write contains it.
export const changedPage = statement<
  ChangePosition & { since: Date; changes: number | null; leasedAt: Date; limit: number },
  ChangedRow
>({
  name: 'changed-serials',
  sql: `
with page as materialized (
  select at, serial, detail -> 'change' as change from audit_entry
  where action in ('certificate.revoked', 'certificate.held', 'certificate.released')
    and at > :since::timestamptz and serial is not null and (at, serial) > (:at::timestamptz, :serial::text)
  order by at, serial limit :limit
), last as (select at, serial from page order by at desc, serial desc limit 1)
select coalesce((select string_agg(serial, ',') from page where :changes::bigint is null or at > :leasedAt::timestamptz
    or case when jsonb_typeof(change) = 'number' then change::numeric > :changes::bigint else true end), '') as serials,
  last.at::text as at, last.serial from last`,
});

// Deletes in steps, those of this number first: a million rows in one statement would not end before its time limit. A copy
// that has lost its lease deletes nothing.
export const clearNumbers = statement<
  Shard & { fence: number; number: number; limit: number },
  { pieces: number; bases: number; hasMore: boolean }
>({
  name: 'clear-crl-numbers',
  sql: `
with ours as (
  select issuer, shard from crl
  where issuer = :issuer and shard = :shard and fence = :fence and last_number = :number::bigint
), pieces as (
  delete from crl_piece where ctid = any(array(
    select crl_piece.ctid from crl_piece join ours using (issuer, shard)
    where number >= :number::bigint order by number, at limit :limit::integer))
  returning number
), bases as (
  delete from crl_base where ctid = any(array(
    select crl_base.ctid from crl_base join ours using (issuer, shard)
    where number >= :number::bigint order by number limit :limit::integer))
  returning number
)
select (select count(*) from pieces)::integer as pieces, (select count(*) from bases)::integer as bases,
  (select count(*) = :limit::integer and bool_and(number = :number::bigint) from pieces) as "hasMore"`,
});

export const putPart = statement<Shard & { number: number; at: number; der: Buffer }>({
  name: 'put-crl-part',
  sql: 'insert into crl_piece (issuer, shard, number, at, der) values (:issuer, :shard, :number, :at, :der)',
});

const matchesPiece = '(issuer, shard, number) = (:issuer, :shard, :number)';

// Joins in the database: a statement with a whole piece needs four times its bytes on the way there.
export const joinParts = statement<Shard & { number: number; from: number; pieceOctets: number }>({
  name: 'join-crl-parts',
  sql: `
with parts as (
  delete from crl_piece where ${matchesPiece} and at > :from::integer and at < :from::integer + :pieceOctets::integer
  returning at, der
)
update crl_piece set der = der || (select string_agg(parts.der, '' order by parts.at) from parts)
where ${matchesPiece} and at = :from::integer and exists (select from parts)`,
});

export const findPieces = statement<Shard & { number: number; after: number }, { at: number; der: Buffer }>({
  name: 'pieces-of-crl',
  sql: `
select at, der from crl_piece where (issuer, shard, number) = (:issuer, :shard, :number::bigint) and at > :after::integer
order by at limit 1`,
});

type StoredParams = Shard &
  EntryMac & {
    /** Detail of the audit entry, JSON. */
    readonly detail: string;
    readonly fence: number;
    readonly number: number;
    readonly changes: number;
    readonly octets: number;
    readonly thisUpdate: Date;
    readonly nextUpdate: Date;
    readonly renewAt: Date;
  };

const matchesStored = (table: string) => `(${table}.issuer, ${table}.shard) = (stored.issuer, stored.shard)`;

/** Rows that one statement deletes at most; more than this service leaves behind. The next list deletes the others. */
const maxDeleted = 1_000;

function oldPiecesSql(kept: string): string {
  return `old as (
  delete from crl_piece where ctid = any(array(select crl_piece.ctid from crl_piece, stored
    where ${matchesStored('crl_piece')} and crl_piece.number < :number and crl_piece.number is distinct from ${kept}
    order by crl_piece.number limit ${maxDeleted}))
)`;
}

const auditedSql = `audited as (
  insert into audit_entry (action, actor, detail, entry_id, mac)
  select 'crl.signed', 'service:generation', :detail::jsonb, :entryId::uuid, :entryMac from stored
)`;

// Keeps the bases in force with the changes that they lack, and deletes what a slow copy left behind.
export const storeComplete = statement<StoredParams & { readonly restUntil: Date; readonly isBase: boolean }>(
  {
    name: 'store-crl',
    sql: `
with stored as (
  update crl set number = :number, octets = :octets, this_update = :thisUpdate, next_update = :nextUpdate,
    renew_at = :renewAt, rest_until = :restUntil, signed_changes = :changes,
    delta_until = case when :isBase::boolean then :nextUpdate else delta_until end, ${lease.end}
  where issuer = :issuer and shard = :shard and fence = :fence
  returning issuer, shard, delta_number
), base as (
  insert into crl_base (issuer, shard, number, changes, next_update)
  select issuer, shard, :number, :changes, :nextUpdate from stored where :isBase::boolean
  on conflict (issuer, shard, number) do update set changes = excluded.changes, next_update = excluded.next_update
), ended as (
  delete from crl_base where ctid = any(array(select crl_base.ctid from crl_base, stored
    where ${matchesStored('crl_base')} and crl_base.next_update <= now() limit ${maxDeleted}))
), known as (
  delete from status_change using stored
  where stored.shard = 0 and status_change.issuer = stored.issuer and status_change.number <= least(:changes::bigint, (
    select min(changes) from crl_base where ${matchesStored('crl_base')} and crl_base.next_update > now()
  ))
), ${oldPiecesSql('stored.delta_number')}, ${auditedSql}
select 1 as done from stored`,
  },
);

export const storeDelta = statement<StoredParams>({
  name: 'store-delta-crl',
  sql: `
with stored as (
  update crl set delta_number = :number, delta_octets = :octets, delta_this_update = :thisUpdate,
    delta_next_update = :nextUpdate, delta_renew_at = :renewAt, delta_changes = :changes, ${lease.end}
  where issuer = :issuer and shard = :shard and fence = :fence
  returning issuer, shard, number
), ${oldPiecesSql('stored.number')}, ${auditedSql}
select 1 as done from stored`,
});

export interface ServedRow {
  readonly piece: Buffer | null;
  readonly octets: number;
  readonly number: string;
  readonly thisUpdate: string;
  readonly nextUpdate: string;
}

export const findServed = statement<
  Shard & { isDelta: boolean; from: number; most: number; pieceOctets: number },
  ServedRow
>({
  name: 'served-crl',
  sql: `
select substring(crl_piece.der from :from::integer - crl_piece.at + 1 for :most::integer) as piece, list.octets, list.number,
  list.this_update as "thisUpdate", list.next_update as "nextUpdate"
from crl cross join lateral (
  select number, octets, this_update, next_update where not :isDelta::boolean
  union all
  select delta_number, delta_octets, delta_this_update, delta_next_update
  where :isDelta::boolean and delta_until > now()
) as list left join crl_piece
  on (crl_piece.issuer, crl_piece.shard, crl_piece.number) = (crl.issuer, crl.shard, list.number)
  and crl_piece.at = :from::integer / :pieceOctets::integer * :pieceOctets::integer
where crl.issuer = :issuer and crl.shard = :shard and list.number is not null`,
});
