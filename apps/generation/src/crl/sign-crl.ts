import { setImmediate } from 'node:timers/promises';
import { pkiPieceOctets } from '@rubrica/contracts/services/schemas/generation';
import {
  type CrlEntry,
  crlEntryWriter,
  crlTbsParts,
  type IssuerIdentity,
  type Signer,
  signCrlParts,
} from '@rubrica/pki';
import { crashpoint } from '@rubrica/process';
import { revocationCrashPoints } from '../crash-points.ts';
import type { CrlLedger, LeasedCrl, SignedCrl } from './crl-ledger.ts';

/** An authority whose CRLs this copy can sign. */
export interface CrlAuthority {
  readonly name: string;
  readonly identity: IssuerIdentity;
  readonly sign: Signer;
  /** From thisUpdate to nextUpdate. */
  readonly lifetimeMs: number;
  /** Address of a CRL that speaks of no other certificates than those that name it; undefined: of all. */
  readonly distributionPoint: (shard: number) => string | undefined;
  /** What becomes of its complete CRL when that is long; undefined: nothing. */
  readonly delta: DeltaRules | undefined;
}

export interface DeltaRules {
  /** Entries from which a complete CRL is long. */
  readonly fromEntries: number;
  /** Where the delta is published. */
  readonly uri: string;
  readonly lifetimeMs: number;
  /** From one long complete CRL to the next, when there are changes. */
  readonly restMs: number;
}

export interface SignCrlDeps {
  readonly ledger: CrlLedger;
  /** As they are now: authorities are added while the service runs. */
  readonly authorities: () => readonly CrlAuthority[];
  readonly leaseSeconds: number;
}

/** Written at once: each is copied some times on its way to the database. */
const partOctets = 64 * 1024;

/** Encoded in one turn of the event loop: a few milliseconds. */
const turnEntries = 1_000;

/**
 * Signs the CRL that needs it most, if any does. Whenever the process dies, the old one is served, and the work is
 * done again when the lease ends.
 * @returns whether one was signed
 */
export function createSignNextCrl({
  ledger,
  authorities,
  leaseSeconds,
}: SignCrlDeps): () => Promise<LeasedCrl | undefined> {
  return async () => {
    const byName = new Map(authorities().map((authority) => [authority.name, authority]));
    const names = [...byName.keys()];
    const leased = await ledger.lease(names, leaseSeconds);
    if (leased === undefined) return undefined;
    const authority = byName.get(leased.issuer);
    if (authority === undefined) throw new Error(`a CRL of ${leased.issuer} was leased without its key`);
    crashpoint(revocationCrashPoints.crlAfterLease);
    await ledger.whileLeased(leased, leaseSeconds, async () => {
      const signed = await sign(authority, leased, ledger);
      crashpoint(revocationCrashPoints.crlAfterSign);
      // Another copy may have found this one too slow: its CRL has a higher number, and this one is thrown away.
      await ledger.store(leased, signed);
    });
    crashpoint(revocationCrashPoints.crlAfterStore);
    return leased;
  };
}

/** Makes the list and keeps its pieces. What is held of it meanwhile are its octets, once, and one page of rows or piece. */
async function sign(authority: CrlAuthority, leased: LeasedCrl, ledger: CrlLedger): Promise<SignedCrl> {
  const { identity, delta } = authority;
  const thisUpdate = leased.now;
  const after = (ms: number) => new Date(thisUpdate.getTime() + ms);
  const lifetimeMs = leased.base && delta ? delta.lifetimeMs : authority.lifetimeMs;
  const { tbs, isBase } = await signedPart(authority, leased, { ledger, lifetimeMs });
  const parts = await signCrlParts(tbs, identity.signatureAlgorithm, authority.sign);
  let octets = 0;
  for (const part of piecesOf(parts, partOctets)) {
    await ledger.putPart(leased, octets, part);
    octets += part.length;
    if (octets % pkiPieceOctets === 0) await ledger.joinParts(leased, octets - pkiPieceOctets);
  }
  await ledger.joinParts(leased, octets - (octets % pkiPieceOctets));
  return {
    octets,
    thisUpdate,
    nextUpdate: after(lifetimeMs),
    renewAt: after(lifetimeMs / 2),
    restUntil: after(isBase && delta ? Math.min(delta.restMs, lifetimeMs / 2) : 0),
    isBase,
  };
}

async function signedPart(
  { identity, distributionPoint, delta }: CrlAuthority,
  leased: LeasedCrl,
  { ledger, lifetimeMs }: { ledger: CrlLedger; lifetimeMs: number },
): Promise<{ tbs: Uint8Array[]; isBase: boolean }> {
  const { number, now: thisUpdate, base, shard } = leased;
  const { count, entries } = await entriesOf(leased, { ledger, lifetimeMs });
  const isBase = delta !== undefined && base === undefined && shard === 0 && count >= delta.fromEntries;
  const tbs = crlTbsParts({
    issuer: identity,
    number: BigInt(number),
    thisUpdate,
    nextUpdate: new Date(thisUpdate.getTime() + lifetimeMs),
    entries,
    distributionPoint: distributionPoint(shard),
    baseNumber: base && BigInt(base.number),
    freshestUri: isBase ? delta.uri : undefined,
  });
  return { tbs, isBase };
}

/** Entries as octets: rows become some before the next page is read. */
async function entriesOf(
  leased: LeasedCrl,
  { ledger, lifetimeMs }: { ledger: CrlLedger; lifetimeMs: number },
): Promise<{ count: number; entries: Uint8Array[] }> {
  const pages = leased.base
    ? changedOnce(leased, leased.base.changes, ledger)
    : ledger.entries(leased, keptSince(leased, lifetimeMs));
  const writer = crlEntryWriter();
  let count = 0;
  for await (const page of pages) {
    for (const entry of page) writer.add(entry);
    count += page.length;
  }
  return { count, entries: writer.pieces() };
}

/** Each certificate once, as it stands: one that changes while pages are read comes again. */
async function* changedOnce(
  leased: LeasedCrl,
  since: number,
  ledger: CrlLedger,
): AsyncIterable<readonly CrlEntry[]> {
  const bySerial = new Map<string, CrlEntry>();
  for await (const page of ledger.changedEntries(leased, since))
    for (const entry of page) bySerial.set(entry.serial, entry);
  const changed = [...bySerial.values()];
  for (let at = 0; at < changed.length; at += turnEntries) {
    // Thousands that were revoked at once make a long delta, and others wait for the thread.
    await setImmediate();
    yield changed.slice(at, at + turnEntries);
  }
}

/** What is in the parts, in pieces of one size; the last may be shorter. A piece counts until the next is asked for. */
function* piecesOf(parts: readonly Uint8Array[], size: number): Iterable<Buffer> {
  const piece = Buffer.allocUnsafe(size);
  let octets = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const slice = part.subarray(at, at + size - octets);
      piece.set(slice, octets);
      octets += slice.length;
      at += slice.length;
      if (octets < size) continue;
      yield piece;
      octets = 0;
    }
  }
  if (octets > 0) yield piece.subarray(0, octets);
}

/**
 * RFC 5280 §3.3: an entry stays until it was on a scheduled CRL issued after its certificate had expired. One life of
 * a CRL before the last one that was issued: in that time there was a scheduled one, and where the service was down
 * meanwhile, the last one is from before that.
 */
function keptSince({ previousThisUpdate }: LeasedCrl, lifetimeMs: number): Date {
  return new Date((previousThisUpdate?.getTime() ?? 0) - lifetimeMs);
}
