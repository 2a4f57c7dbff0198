import type { Database } from '@rubrica/database/connection';
import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { type CrlFile, formatCrlName } from '../certificate/crl-shard.ts';

/** Revocation list as its audit entry states it: `id` is its name, `version` its number. */
export const signedListTable = guardedSqlTable('crl', [
  'octets',
  'thisUpdate',
  'nextUpdate',
  'sha256',
  'isBase',
  'changes',
  'leasedAt',
]);

/** Revocation list that this service signed and stored. */
export interface SignedList {
  readonly number: number;
  readonly octets: number;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** SHA-256 of all its bytes, hexadecimal. */
  readonly sha256: string;
  /** True for a complete list that names a delta. */
  readonly isBase: boolean;
  /** Status changes that it contains, by the counter of its issuer. */
  readonly changes: number;
  /** Time of the lease; the list contains everything committed before. */
  readonly leasedAt: Date;
}

export interface SignedLists {
  /** Finds the list with the highest number; undefined where none was signed, or only by earlier releases. */
  latest(list: CrlFile): Promise<SignedList | undefined>;
  /**
   * Finds the latest list within the first entries, or with an alarm the latest that this copy has seen; `unproven`
   * where entries exist and none is proven.
   */
  soon(list: CrlFile): Promise<SignedList | 'unproven' | undefined>;
  /** Remembers a list that this copy has stored. */
  remember(list: CrlFile, signed: SignedList): void;
  /**
   * Finds a list by number; undefined for an entry that came after one with a higher number, because the service counts
   * upwards.
   */
  numbered(list: CrlFile, number: number): Promise<SignedList | undefined>;
  /** Formats the detail of the audit entry of a list, JSON. */
  toDetail(list: CrlFile, signed: SignedList): string;
}

interface ListEntry {
  readonly octets: number;
  readonly thisUpdate: string;
  readonly nextUpdate: string;
  readonly sha256: string;
  readonly isBase: boolean;
  readonly changes: number;
  readonly leasedAt: string;
  readonly mac: string;
}
interface EntryRow {
  readonly number: string;
  readonly sequence: string;
  /** Time of the database, which the service's role cannot choose. */
  readonly at: string;
  readonly detail: ListEntry;
}

/** Page size; one page is enough unless entries were added that this service did not write. */
const firstRows = 20;
const nextRows = 500;
/** Maximum pages of one download. */
const downloadPages = 3;
/** Time between two searches in all entries. */
const searchMs = 60_000;

interface Position {
  readonly most: string;
  /** Entries with that number count after this sequence. */
  readonly after: string;
}

/**
 * Accepts numbers that the service may have used: fewer than one per second since 1970, as the trigger of `crl`
 * enforces. A higher number is forged, whatever its MAC, and would leave none for the next list.
 */
const isPlausibleNumber = `(detail ->> 'number')::bigint <= extract(epoch from at)`;

// Returns the oldest entry of a number first, so that a later addition never precedes it.
const findEntries = statement<Position & { target: string; from: string; limit: number }, EntryRow>({
  name: 'signed-crls',
  sql: `
select (detail ->> 'number')::bigint as number, sequence, at, detail from audit_entry
where action = 'crl.signed' and detail ->> 'target' = :target
  and (detail ->> 'number')::bigint between :from::bigint and :most::bigint
  and ((detail ->> 'number')::bigint < :most::bigint or sequence > :after::bigint) and ${isPlausibleNumber}
order by (detail ->> 'number')::bigint desc, sequence limit :limit::integer`,
});

const findEarlier = statement<{ target: string; number: number; at: string }, { number: string }>({
  name: 'higher-crl-before',
  sql: `
select (detail ->> 'number')::bigint as number from audit_entry
where action = 'crl.signed' and detail ->> 'target' = :target and (detail ->> 'number')::bigint > :number::bigint
  and at < :at::timestamptz and ${isPlausibleNumber}
limit 1`,
});

const greatest = '9223372036854775807';
const least = '-9223372036854775808';

/**
 * Creates the reader of signed lists. Audit entries cannot be removed, so an older list that is restored in the tables
 * is recognised by its number. Each entry has a MAC, because the role of the database can add entries. The latest list
 * that this copy has seen is remembered, so that entries of higher numbers do not hide it.
 */
export function createSignedLists(
  database: Pick<Database, 'statement'>,
  rows: Pick<RowGuard, 'protect' | 'hasMac' | 'reportFailed'>,
): SignedLists {
  const seen = new Map<string, SignedList>();
  const searches = new Map<string, { readonly atMs: number; readonly done: Promise<unknown> }>();
  const remember = (list: CrlFile, signed: SignedList) => {
    const target = toTarget(list);
    if (signed.number > (seen.get(target)?.number ?? 0)) seen.set(target, signed);
    return signed;
  };
  const find = async (list: CrlFile, { from = '0', most = greatest, pages = Number.POSITIVE_INFINITY }) => {
    const target = toTarget(list);
    let position: Position = { most, after: least };
    for (let page = 0; page < pages; page++) {
      const limit = page === 0 ? firstRows : nextRows;
      const found = await findEntries.run(database, { target, from, ...position, limit });
      const proven = found.find((row) => isProven(rows, list, row));
      if (proven !== undefined) return proven;
      const last = found.at(-1);
      if (last === undefined && page === 0) return undefined;
      if (last === undefined || found.length < limit) return 'unproven';
      position = { most: last.number, after: last.sequence };
    }
    return 'unproven';
  };
  const findProven = async (list: CrlFile, range: { from?: string; most?: string }) => {
    const found = await find(list, range);
    return found === 'unproven' ? undefined : found;
  };
  const findNumbered = async (list: CrlFile, number: number) => {
    const found = await findProven(list, { from: String(number), most: String(number) });
    if (found === undefined) return undefined;
    const [earlier] = await findEarlier.run(database, { target: toTarget(list), number, at: found.at });
    return earlier === undefined ? toSigned(found) : undefined;
  };
  const latest = async (list: CrlFile) => {
    const found = await findProven(list, {});
    return found && remember(list, toSigned(found));
  };
  /** Searches all entries, for all downloads together and seldom: an attacker can add any number of them. */
  const search = (list: CrlFile): Promise<unknown> => {
    const target = toTarget(list);
    const last = searches.get(target);
    if (last !== undefined && performance.now() - last.atMs < searchMs) return last.done;
    const done = latest(list).catch(() => undefined);
    searches.set(target, { atMs: performance.now(), done });
    return done;
  };
  return {
    latest,
    async soon(list) {
      const found = await find(list, { pages: downloadPages });
      if (found === undefined) return undefined;
      if (found !== 'unproven') return remember(list, toSigned(found));
      rows.reportFailed({ table: signedListTable.name, id: formatCrlName(list) });
      const searched = search(list);
      const target = toTarget(list);
      if (!seen.has(target)) await searched;
      return seen.get(target) ?? 'unproven';
    },
    remember,
    numbered: findNumbered,
    toDetail(list, signed) {
      const { mac } = rows.protect(
        signedListTable.name,
        { ...signed, id: formatCrlName(list) },
        signed.number,
      );
      return JSON.stringify({ target: toTarget(list), ...signed, mac });
    },
  };
}

function toTarget(list: CrlFile): string {
  return `crl:${formatCrlName(list)}`;
}

/**
 * Verifies the MAC and the times of an entry. Signing follows the lease, so a list with a future time is forged,
 * whatever its MAC.
 */
function isProven(rows: Pick<RowGuard, 'hasMac'>, list: CrlFile, { number, at, detail }: EntryRow): boolean {
  const isFuture = [detail.leasedAt, detail.thisUpdate].some((time) => !(new Date(time) <= new Date(at)));
  if (isFuture) return false;
  return rows.hasMac(signedListTable.name, {
    ...{ id: formatCrlName(list), version: Number(number), mac: detail.mac },
    ...{ octets: detail.octets, this_update: detail.thisUpdate, next_update: detail.nextUpdate },
    ...{ sha256: detail.sha256, is_base: detail.isBase, changes: detail.changes, leased_at: detail.leasedAt },
  });
}

function toSigned({ number, detail }: EntryRow): SignedList {
  const { octets, sha256, isBase, changes } = detail;
  return {
    number: Number(number),
    ...{ octets, sha256, isBase, changes },
    thisUpdate: new Date(detail.thisUpdate),
    nextUpdate: new Date(detail.nextUpdate),
    leasedAt: new Date(detail.leasedAt),
  };
}
