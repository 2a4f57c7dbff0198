import { pkiPieceOctets } from '@rubrica/contracts/services/schemas/generation';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { createLeases } from '@rubrica/database/lease';
import type { CrlEntry } from '@rubrica/pki';
import { formatCrlName } from '../certificate/crl-shard.ts';
import {
  type ChangedRow,
  type ChangePosition,
  changedPage,
  clearNumbers,
  completePage,
  ensureRows,
  findPieces,
  findServed,
  joinParts,
  type LeaseRow,
  leaseCrl,
  markCrlDue,
  markUnprovenDue,
  type PagePosition,
  type PageRow,
  putPart,
  raiseNumber,
  type ServedRow,
  type Shard,
  shardPage,
  storeComplete,
  storeDelta,
} from './crl-statements.ts';
import { readThisUpdate } from './list-reader.ts';
import { createSignedLists, type SignedList, type SignedLists } from './signed-lists.ts';

/** CRL that only this copy may sign now, under a number that no other CRL of its issuer's shard has. */
export interface LeasedCrl extends Shard {
  readonly fence: number;
  readonly number: number;
  /** Status changes that were written before the lease. */
  readonly changes: number;
  /** Complete list that a delta extends, with the changes it contains; undefined for a complete list. */
  readonly base: { readonly number: number; readonly changes: number } | undefined;
  /** Time of the complete list that is served now; null for the first. */
  readonly previousThisUpdate: Date | null;
  /** Clock of the database, in whole seconds, on which copies agree. */
  readonly now: Date;
  /** Exact time of the lease; the list contains everything committed before. */
  readonly leasedAt: Date;
}

export interface SignedCrl {
  readonly octets: number;
  /** SHA-256 of all bytes, hexadecimal. */
  readonly sha256: string;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** Time of the next list without changes. */
  readonly renewAt: Date;
  /** Time before which changes do not cause a new complete list. */
  readonly restUntil: Date;
  /** True for a complete list that names a delta. */
  readonly isBase: boolean;
}

/** Part of the served CRL. */
export interface ServedCrl {
  readonly piece: Uint8Array;
  /** Size of the whole list. */
  readonly octets: number;
  readonly number: number;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}

/** Latest times of an authority's complete lists, from the one before. */
export interface LeaseRule {
  readonly issuer: string;
  /** Time until the next list without changes. */
  readonly renewMs: number;
  /** Time until the next list with changes. */
  readonly restMs: number;
}

export interface CrlLedger {
  /** Creates the rows of CRLs that certificates may name from now on. Safe to repeat. */
  ensure(issuers: readonly string[], shards: readonly number[]): Promise<void>;
  /**
   * Leases the next CRL that has changes or must be renewed.
   * @param leasing.rules authorities whose keys this copy has
   * @param leasing.shards highest shard that certificates get today; lists of higher ones come last
   */
  lease(leasing: {
    readonly rules: readonly LeaseRule[];
    readonly shards: number;
    readonly leaseSeconds: number;
  }): Promise<LeasedCrl | undefined>;
  /** Renews the lease while `work` runs: a long list takes longer than one lease. */
  whileLeased<Result>(crl: LeasedCrl, leaseSeconds: number, work: () => Promise<Result>): Promise<Result>;
  /** Lists the certificates that are revoked or on hold and had not expired at `since`, page by page. */
  entries(crl: Shard, since: Date): AsyncIterable<readonly CrlEntry[]>;
  /** Lists the serial numbers of changes in the audit log since then, of all issuers; some appear twice. */
  changedSerials(since: ChangesSince): AsyncIterable<readonly string[]>;
  /** Signed lists, from the audit log. */
  readonly signed: SignedLists;
  /** Reads the bytes of a stored list, piece by piece. */
  pieces(crl: Shard, number: number): AsyncIterable<Uint8Array>;
  /** Raises the last number and releases the lease; the next number is higher. */
  raiseNumber(leased: LeasedCrl, number: number): Promise<void>;
  /** Makes lists of earlier releases due, so that the next check signs them again. */
  makeUnprovenDue(): Promise<void>;
  /**
   * Deletes rows under this number or a higher one, with an alarm: it was just taken, so this service wrote none of
   * them.
   */
  clearNumbers(leased: LeasedCrl): Promise<void>;
  /** Stores a part of a signed list. */
  putPart(leased: LeasedCrl, at: number, der: Buffer): Promise<void>;
  /** Joins the parts from a position into one piece, which is served once the list is stored. */
  joinParts(leased: LeasedCrl, from: number): Promise<void>;
  /**
   * Stores the list.
   * @returns false when another copy has leased it since; nothing was written
   */
  store(leased: LeasedCrl, signed: SignedCrl): Promise<boolean>;
  /** Reads the served list from a byte offset, at most one transfer unit. */
  served(crl: Shard & { readonly isDelta: boolean }, from: number): Promise<ServedCrl | undefined>;
}

export interface ChangesSince {
  readonly since: Date;
  /** List that contains all changes up to that number; undefined where no list is compared. */
  readonly known: { readonly changes: number; readonly leasedAt: Date } | undefined;
}

/** Small, so that neither the event loop nor the memory notices a page. */
const pageRows = 1_000;

/** Time after which a list that cannot be served is made due again. */
const dueAgainMs = 5_000;

/** Rows that one statement clears. */
const clearedRows = 10_000;

/** Maximum transfer unit: as base64 in JSON it stays in the young generation, which spares full collections. */
const transferBytes = 64 * 1024;

const leases = createLeases({ table: 'crl', key: ['issuer', 'shard'] });

/** Creates the ledger of CRLs in the service's database; all copies serve the same lists. */
export function createCrlLedger(
  database: Pick<Database, 'statement' | 'entries'>,
  rows: Pick<RowGuard, 'protect' | 'hasMac' | 'reportFailed'>,
): CrlLedger {
  const signedLists = createSignedLists(database, rows);
  const madeDue = new Map<string, number>();
  const readPage = async (params: Shard & PagePosition & { readonly limit: number }) => {
    const [page] = await (params.shard === 0 ? completePage : shardPage).run(database, params);
    return page;
  };
  return {
    async ensure(issuers, shards) {
      await ensureRows.run(database, { issuers, shards });
    },
    async lease({ rules, shards, leaseSeconds }) {
      const [row] = await leaseCrl.run(database, {
        issuers: rules.map(({ issuer }) => issuer),
        renewSeconds: rules.map(({ renewMs }) => renewMs / 1_000),
        restSeconds: rules.map(({ restMs }) => restMs / 1_000),
        shards,
        leaseSeconds,
      });
      return row && toLeased(row);
    },
    whileLeased: ({ issuer, shard, fence }, leaseSeconds, work) =>
      leases.whileRenewing(database, { issuer, shard, fence, leaseSeconds }, work),
    async *entries({ issuer, shard }, since) {
      // Starts after every serial number of that time, as `G` sorts behind hexadecimal digits.
      let after: PagePosition | undefined = { notAfter: since.toISOString(), serial: 'G' };
      while (after !== undefined) {
        const page: PageRow | undefined = await readPage({ issuer, shard, ...after, limit: pageRows });
        if (page === undefined) return;
        const entries: CrlEntry[] = page.entries.split(',').map(parseEntry);
        yield entries;
        after = entries.length < pageRows ? undefined : page;
      }
    },
    async *changedSerials({ since, known }) {
      const { changes = null, leasedAt = since } = known ?? {};
      let after: ChangePosition | undefined = { at: '-infinity', serial: '' };
      while (after !== undefined) {
        const params = { ...after, since, changes, leasedAt, limit: pageRows };
        const [page]: ChangedRow[] = await changedPage.run(database, params);
        if (page === undefined) return;
        yield page.serials === '' ? [] : page.serials.split(',');
        after = page;
      }
    },
    signed: signedLists,
    async *pieces({ issuer, shard }, number) {
      let after = -1;
      for (;;) {
        const [piece] = await findPieces.run(database, { issuer, shard, number, after });
        if (piece === undefined) return;
        yield piece.der;
        after = piece.at;
      }
    },
    async raiseNumber({ issuer, shard, fence }, number) {
      await raiseNumber.run(database, { issuer, shard, fence, number });
    },
    async makeUnprovenDue() {
      await markUnprovenDue.run(database, {});
    },
    async clearNumbers({ issuer, shard, fence, number, base }) {
      const params = { issuer, shard, fence, number, limit: clearedRows };
      let isForged = false;
      for (let hasMore = true; hasMore; ) {
        const [cleared] = await clearNumbers.run(database, params);
        isForged ||= cleared !== undefined && cleared.pieces + cleared.bases > 0;
        hasMore = cleared?.hasMore ?? false;
      }
      const id = formatCrlName({ issuer, shard, isDelta: base !== undefined });
      if (isForged) rows.reportFailed({ table: 'crl_piece', id });
    },
    async putPart({ issuer, shard, number }, at, der) {
      await putPart.run(database, { issuer, shard, number, at, der });
    },
    async joinParts({ issuer, shard, number }, from) {
      await joinParts.run(database, { issuer, shard, number, from, pieceOctets: pkiPieceOctets });
    },
    async store(leased, signed) {
      const { issuer, shard, number, changes, leasedAt, base } = leased;
      const list = { issuer, shard, isDelta: base !== undefined };
      const { octets, thisUpdate, nextUpdate, sha256, isBase } = signed;
      const entry = { number, octets, thisUpdate, nextUpdate, sha256, isBase, changes, leasedAt };
      const detail = signedLists.toDetail(list, entry);
      const mac = database.entries.protect({ action: 'crl.signed', actor: 'service:generation', detail });
      const stored = { ...leased, ...signed, detail, ...mac };
      const rows = await (leased.base ? storeDelta : storeComplete).run(database, stored);
      if (rows.length > 0) signedLists.remember(list, entry);
      return rows.length > 0;
    },
    async served({ issuer, shard, isDelta }, from) {
      const params = { issuer, shard, isDelta, from, most: transferBytes, pieceOctets: pkiPieceOctets };
      const list = { issuer, shard, isDelta };
      // Read before the row: a list that is stored in between is a later one.
      const newest = await signedLists.soon(list);
      const [row] = await findServed.run(database, params);
      const served = row && toServed(row);
      if (newest === undefined) return served;
      if (newest !== 'unproven') {
        if (served !== undefined && isCurrent(newest, served, from)) return capNextUpdate(served, newest);
        // A delta ends with the lists that name it.
        if (served === undefined && (isDelta || newest.nextUpdate < new Date())) return undefined;
      }
      const name = formatCrlName(list);
      rows.reportFailed({ table: 'crl', id: name });
      // Downloads of strangers do not have the authority sign without end.
      if (performance.now() - (madeDue.get(name) ?? Number.NEGATIVE_INFINITY) < dueAgainMs) return undefined;
      madeDue.set(name, performance.now());
      await markCrlDue.run(database, { issuer, shard });
      return undefined;
    },
  };
}

/** Parses an entry. A page is one text instead of many rows: thousands of small objects would outlive their page. */
function parseEntry(text: string): CrlEntry {
  const [serial = '', seconds, reason = ''] = text.split(' ');
  return { serial, revokedAt: new Date(Number(seconds) * 1_000), reason: reason as CrlEntry['reason'] };
}

/**
 * Returns whether the row has the last signed list, or a later one of an earlier release. The first bytes of a list
 * contain its time; a list of mixed parts has no valid signature.
 */
function isCurrent(newest: SignedList, { number, piece }: ServedCrl, from: number): boolean {
  if (number < newest.number) return false;
  if (from > 0) return true;
  try {
    return readThisUpdate(piece) >= newest.thisUpdate;
  } catch {
    return false;
  }
}

function capNextUpdate(served: ServedCrl, { nextUpdate, number }: SignedList): ServedCrl {
  const isSame = served.number === number && nextUpdate < served.nextUpdate;
  return isSame ? { ...served, nextUpdate } : served;
}

function toLeased(row: LeaseRow): LeasedCrl {
  const { issuer, shard, isDelta, fence, number, changes, previous, baseNumber, baseChanges } = row;
  const base = { number: Number(baseNumber), changes: Number(baseChanges) };
  return {
    issuer,
    shard,
    fence,
    number: Number(number),
    changes: Number(changes),
    base: isDelta ? base : undefined,
    previousThisUpdate: previous === null ? null : new Date(previous),
    now: new Date(row.now),
    leasedAt: new Date(row.leasedAt),
  };
}

function toServed({ piece, octets, number, thisUpdate, nextUpdate }: ServedRow): ServedCrl {
  return {
    piece: piece ?? Buffer.alloc(0),
    octets,
    number: Number(number),
    thisUpdate: new Date(thisUpdate),
    nextUpdate: new Date(nextUpdate),
  };
}
