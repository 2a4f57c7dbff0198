import { pkiPieceOctets } from '@rubrica/contracts/services/schemas/generation';
import { type Database, leasesOn, type RowGuard } from '@rubrica/database';
import type { CrlEntry } from '@rubrica/pki';
import { crlName } from '../certificate/crl-shard.ts';
import {
  type ChangedPlace,
  type ChangedRow,
  changedPage,
  completePage,
  ensureRows,
  findPieces,
  findServed,
  joinParts,
  type LeaseRow,
  makeDue,
  makeUnprovenDue,
  type PagePlace,
  type PageRow,
  putPart,
  raiseNumber,
  type ServedRow,
  type Shard,
  shardPage,
  storeComplete,
  storeDelta,
  take,
} from './crl-statements.ts';
import { readThisUpdate } from './list-reader.ts';
import { createSignedLists, type SignedList, type SignedLists } from './signed-lists.ts';

/** A CRL that this copy alone may sign now, under a number that no other CRL of its issuer's shard will have. */
export interface LeasedCrl extends Shard {
  readonly fence: number;
  readonly number: number;
  /** Changes of status that had been written when it was leased. */
  readonly changes: number;
  /** Of a delta: the complete list that it adds to, and the changes that this one knows. */
  readonly base: { readonly number: number; readonly changes: number } | undefined;
  /** Of the complete list that is served until now; null for the first. */
  readonly previousThisUpdate: Date | null;
  /** The database's clock, in whole seconds: copies agree on it. */
  readonly now: Date;
  /** Exact time of the lease: everything committed before is in the list. */
  readonly leasedAt: Date;
}

export interface SignedCrl {
  readonly octets: number;
  /** Digest of all octets, hexadecimal. */
  readonly sha256: string;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** When the next one is signed though nothing has changed. */
  readonly renewAt: Date;
  /** Of a complete list: changes alone have no new one signed before. */
  readonly restUntil: Date;
  /** A complete list that names a delta. */
  readonly isBase: boolean;
}

/** A part of the CRL that is served. */
export interface ServedCrl {
  readonly piece: Uint8Array;
  /** Of the whole. */
  readonly octets: number;
  readonly number: number;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}

export interface CrlLedger {
  /** Makes the rows of CRLs that certificates may name from now on. Safe to repeat. */
  ensure(issuers: readonly string[], shards: readonly number[]): Promise<void>;
  /** The next CRL that has something new to say, or grows old. @param issuers those whose keys this copy has */
  lease(issuers: readonly string[], leaseSeconds: number): Promise<LeasedCrl | undefined>;
  /** A long list takes longer than a lease, which is renewed meanwhile. */
  whileLeased<Result>(crl: LeasedCrl, leaseSeconds: number, work: () => Promise<Result>): Promise<Result>;
  /** Certificates that are revoked or held and had not expired at `since`, page by page. */
  entries(crl: Shard, since: Date): AsyncIterable<readonly CrlEntry[]>;
  /** Serial numbers of changes that the audit log has since then, of all issuers; some of them twice. */
  changedSerials(since: ChangesSince): AsyncIterable<readonly string[]>;
  /** Lists that were signed, as the audit log has them. */
  readonly signed: SignedLists;
  /** Octets of a stored list, piece by piece. */
  pieces(crl: Shard, number: number): AsyncIterable<Uint8Array>;
  /** Gives the lease back: the next number is above that one. */
  raiseNumber(leased: LeasedCrl, number: number): Promise<void>;
  /** Lists of earlier releases are signed anew at the next look. */
  makeUnprovenDue(): Promise<void>;
  /** Keeps octets of a list that is signed. */
  putPart(leased: LeasedCrl, at: number, der: Buffer): Promise<void>;
  /** Makes a piece of the parts from there on, as far as a piece goes; it is served once the list is stored. */
  joinParts(leased: LeasedCrl, from: number): Promise<void>;
  /** @returns false when another copy has leased it since: nothing was written */
  store(leased: LeasedCrl, signed: SignedCrl): Promise<boolean>;
  /** Octets from that one on, as many as are handed out at once. */
  served(crl: Shard & { readonly isDelta: boolean }, from: number): Promise<ServedCrl | undefined>;
}

export interface ChangesSince {
  readonly since: Date;
  /** List that contains all changes up to that number; undefined: no list is compared. */
  readonly known: { readonly changes: number; readonly leasedAt: Date } | undefined;
}

/** Few enough that neither the thread nor the memory notices a page, whatever the list. */
const pageRows = 1_000;

/** Handed out at once: as base64 in JSON it is still a young object, which costs no collection of the old ones. */
const handedOctets = 64 * 1024;

const leases = leasesOn({ table: 'crl', key: ['issuer', 'shard'] });

/** The CRLs in the service's database: all copies serve the same. */
export function createCrlLedger(
  database: Pick<Database, 'statement' | 'entries'>,
  rows: Pick<RowGuard, 'protect' | 'hasMac' | 'reportFailed'>,
): CrlLedger {
  const signedLists = createSignedLists(database, rows);
  const readPage = async (asked: Shard & PagePlace & { readonly limit: number }) => {
    const [page] = await (asked.shard === 0 ? completePage : shardPage).run(database, asked);
    return page;
  };
  return {
    async ensure(issuers, shards) {
      await ensureRows.run(database, { issuers, shards });
    },
    async lease(issuers, leaseSeconds) {
      const [row] = await take.run(database, { issuers, leaseSeconds });
      return row && toLeased(row);
    },
    whileLeased: ({ issuer, shard, fence }, leaseSeconds, work) =>
      leases.whileRenewing(database, { issuer, shard, fence, leaseSeconds }, work),
    async *entries({ issuer, shard }, since) {
      // Behind each serial number of that time.
      let after: PagePlace | undefined = { notAfter: since.toISOString(), serial: 'G' };
      while (after !== undefined) {
        const page: PageRow | undefined = await readPage({ issuer, shard, ...after, limit: pageRows });
        if (page === undefined) return;
        const entries: CrlEntry[] = page.entries.split(',').map(unpacked);
        yield entries;
        after = entries.length < pageRows ? undefined : page;
      }
    },
    async *changedSerials({ since, known }) {
      const { changes = null, leasedAt = since } = known ?? {};
      let after: ChangedPlace | undefined = { at: '-infinity', serial: '' };
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
      await makeUnprovenDue.run(database, {});
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
      return rows.length > 0;
    },
    async served({ issuer, shard, isDelta }, from) {
      const place = { issuer, shard, isDelta, from, most: handedOctets, pieceOctets: pkiPieceOctets };
      const list = { issuer, shard, isDelta };
      // Before the row: a list that is stored in between is a later one.
      const newest = await signedLists.soon(list);
      const [row] = await findServed.run(database, place);
      const served = row && toServed(row);
      if (newest === undefined) return served;
      if (newest !== 'unproven') {
        if (served !== undefined && isStill(newest, served, from)) return withEnd(served, newest);
        // A delta ends with the lists that name it.
        if (served === undefined && (isDelta || newest.nextUpdate < new Date())) return undefined;
      }
      rows.reportFailed({ table: 'crl', id: crlName(list) });
      await makeDue.run(database, { issuer, shard });
      return undefined;
    },
  };
}

/** A page comes as one text, not as rows of many: thousands of small objects would outlive their page. */
function unpacked(text: string): CrlEntry {
  const [serial = '', seconds, reason = ''] = text.split(' ');
  return { serial, revokedAt: new Date(Number(seconds) * 1_000), reason: reason as CrlEntry['reason'] };
}

/**
 * The list that was signed last, or a later one of an earlier release. What comes first in a list has its time: a list whose
 * parts were mixed has no signature.
 */
function isStill(newest: SignedList, { number, piece }: ServedCrl, from: number): boolean {
  if (number < newest.number) return false;
  if (from > 0) return true;
  try {
    return readThisUpdate(piece) >= newest.thisUpdate;
  } catch {
    return false;
  }
}

function withEnd(served: ServedCrl, { nextUpdate, number }: SignedList): ServedCrl {
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
