import { createHash, type KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { pkiPieceOctets } from '@rubrica/contracts/services/schemas/generation';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import {
  type CrlEntry,
  crlEntryWriter,
  crlTbsParts,
  type IssuerIdentity,
  type Signer,
  signCrlParts,
} from '@rubrica/pki';
import { crashpoint } from '@rubrica/process';
import type { StatusProof } from '../certificate/status-proof.ts';
import { revocationCrashPoints } from '../crash-points.ts';
import { changedEntries, checkedEntries } from './checked-entries.ts';
import type { ChangesSince, CrlLedger, LeasedCrl, SignedCrl } from './crl-ledger.ts';
import { readPreviousList } from './read-previous-list.ts';
import type { SignedList } from './signed-lists.ts';

/** An authority whose CRLs this copy can sign. */
export interface CrlAuthority {
  readonly name: string;
  readonly identity: IssuerIdentity;
  readonly sign: Signer;
  readonly publicKey: KeyObject;
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
  /** Nothing is signed by what rows alone state. */
  readonly proof: Pick<StatusProof, 'prove' | 'proveByCertificate'>;
  /** As they are now: authorities are added while the service runs. */
  readonly authorities: () => readonly CrlAuthority[];
  readonly leaseSeconds: number;
}

/** Written at once: each is copied some times on its way to the database. */
const partOctets = 64 * 1024;

/** Longer than any transaction: an entry of the audit log is seen that late. */
const lateMs = HOUR_MS;

/**
 * Signs the CRL that needs it most, if any does. Whenever the process dies, the old one is served, and the work is
 * done again when the lease ends.
 * @returns whether one was signed
 */
export function createSignNextCrl(deps: SignCrlDeps): () => Promise<LeasedCrl | undefined> {
  const { ledger, authorities, leaseSeconds } = deps;
  return async () => {
    const byName = new Map(authorities().map((authority) => [authority.name, authority]));
    const names = [...byName.keys()];
    const leased = await ledger.lease(names, leaseSeconds);
    if (leased === undefined) return undefined;
    const authority = byName.get(leased.issuer);
    if (authority === undefined) throw new Error(`a CRL of ${leased.issuer} was leased without its key`);
    crashpoint(revocationCrashPoints.crlAfterLease);
    await ledger.whileLeased(leased, leaseSeconds, async () => {
      const signed = await sign(authority, leased, deps);
      crashpoint(revocationCrashPoints.crlAfterSign);
      // Another copy may have found this one too slow: its CRL has a higher number, and this one is thrown away.
      await ledger.store(leased, signed);
    });
    crashpoint(revocationCrashPoints.crlAfterStore);
    return leased;
  };
}

/** Makes the list and keeps its pieces. What is held of it meanwhile are its octets, once, and one page of rows or piece. */
async function sign(
  authority: CrlAuthority,
  leased: LeasedCrl,
  { ledger, proof }: Pick<SignCrlDeps, 'ledger' | 'proof'>,
): Promise<SignedCrl> {
  const { identity, delta } = authority;
  const before = await signedBefore(leased, ledger);
  const thisUpdate = leased.now;
  const after = (ms: number) => new Date(thisUpdate.getTime() + ms);
  const lifetimeMs = leased.base && delta ? delta.lifetimeMs : authority.lifetimeMs;
  const entries = leased.base
    ? changedEntries(leased, { proof, changed: await changedSinceBase(authority, leased, ledger) })
    : completeEntries(authority, leased, before, { ledger, proof });
  const { tbs, isBase } = await signedPart(authority, leased, { entries, lifetimeMs });
  const parts = await signCrlParts(tbs, identity.signatureAlgorithm, authority.sign);
  const sha256 = createHash('sha256');
  let octets = 0;
  for (const part of piecesOf(parts, partOctets)) {
    sha256.update(part);
    await ledger.putPart(leased, octets, part);
    octets += part.length;
    if (octets % pkiPieceOctets === 0) await ledger.joinParts(leased, octets - pkiPieceOctets);
  }
  await ledger.joinParts(leased, octets - (octets % pkiPieceOctets));
  return {
    octets,
    sha256: sha256.digest('hex'),
    thisUpdate,
    nextUpdate: after(lifetimeMs),
    renewAt: after(lifetimeMs / 2),
    restUntil: after(isBase && delta ? Math.min(delta.restMs, lifetimeMs / 2) : 0),
    isBase,
  };
}

/**
 * The complete list before this one.
 * @throws Error where the number was given before: the row was put back
 */
async function signedBefore(leased: LeasedCrl, ledger: CrlLedger): Promise<SignedList | undefined> {
  const { issuer, shard } = leased;
  const complete = await ledger.signed.latest({ issuer, shard, isDelta: false });
  const delta = await ledger.signed.latest({ issuer, shard, isDelta: true });
  const highest = Math.max(complete?.number ?? 0, delta?.number ?? 0);
  if (leased.number > highest) return complete;
  await ledger.raiseNumber(leased, highest);
  throw new Error(`${issuer} has a list ${highest} already, and its row was put back`);
}

async function* completeEntries(
  { lifetimeMs, publicKey, distributionPoint }: CrlAuthority,
  leased: LeasedCrl,
  before: SignedList | undefined,
  { ledger, proof }: Pick<SignCrlDeps, 'ledger' | 'proof'>,
): AsyncIterable<readonly CrlEntry[]> {
  const { issuer, shard } = leased;
  const since = keptSince(leased, before, lifetimeMs);
  const rules = before && { stated: before, publicKey, distributionPoint: distributionPoint(shard) };
  const previous = rules && (await readPreviousList(ledger.pieces({ issuer, shard }, before.number), rules));
  const changes: ChangesSince = {
    // By the time that the authority signed, not by the audit entry's detail, which a stolen key file makes too.
    since: previous && before ? new Date(before.thisUpdate.getTime() - lateMs) : new Date(0),
    known: undefined,
  };
  yield* checkedEntries({ issuer, shard, since }, ledger.entries(leased, since), {
    proof,
    previous,
    changed: ledger.changedSerials(changes),
  });
}

/** The base by its audit entry. One of an earlier release has none: then all changes count that such a list may lack. */
async function changedSinceBase(
  { lifetimeMs }: CrlAuthority,
  { issuer, shard, base, now }: LeasedCrl,
  ledger: CrlLedger,
): Promise<AsyncIterable<readonly string[]>> {
  const known = base && (await ledger.signed.numbered({ issuer, shard, isDelta: false }, base.number));
  const oldest = known?.leasedAt ?? new Date(now.getTime() - lifetimeMs);
  return ledger.changedSerials({ since: new Date(oldest.getTime() - lateMs), known });
}

async function signedPart(
  { identity, distributionPoint, delta }: CrlAuthority,
  leased: LeasedCrl,
  { entries, lifetimeMs }: { entries: AsyncIterable<readonly CrlEntry[]>; lifetimeMs: number },
): Promise<{ tbs: Uint8Array[]; isBase: boolean }> {
  const { number, now: thisUpdate, base, shard } = leased;
  const { count, pieces } = await writtenEntries(entries);
  const isBase = delta !== undefined && base === undefined && shard === 0 && count >= delta.fromEntries;
  const tbs = crlTbsParts({
    issuer: identity,
    number: BigInt(number),
    thisUpdate,
    nextUpdate: new Date(thisUpdate.getTime() + lifetimeMs),
    entries: pieces,
    distributionPoint: distributionPoint(shard),
    baseNumber: base && BigInt(base.number),
    freshestUri: isBase ? delta.uri : undefined,
  });
  return { tbs, isBase };
}

/** Entries as octets: rows become some before the next page is read. */
async function writtenEntries(
  pages: AsyncIterable<readonly CrlEntry[]>,
): Promise<{ count: number; pieces: Uint8Array[] }> {
  const writer = crlEntryWriter();
  let count = 0;
  for await (const page of pages) {
    for (const entry of page) writer.add(entry);
    count += page.length;
    // Others wait for the thread.
    await setImmediate();
  }
  return { count, pieces: writer.pieces() };
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
function keptSince(
  { previousThisUpdate }: LeasedCrl,
  before: SignedList | undefined,
  lifetimeMs: number,
): Date {
  const times = [previousThisUpdate ?? new Date(0), before?.thisUpdate ?? new Date()];
  return new Date(Math.min(...times.map((time) => time.getTime())) - lifetimeMs);
}
