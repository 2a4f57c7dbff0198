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
import { crashpoint } from '@rubrica/process/crashpoint';
import type { StatusProof } from '../certificate/status-proof.ts';
import { generateCompleteEntries, generateDeltaEntries } from './checked-entries.ts';
import { crlCrashPoints } from './crash-points.ts';
import type { ChangesSince, CrlLedger, LeasedCrl, SignedCrl } from './crl-ledger.ts';
import { readPreviousList } from './read-previous-list.ts';
import type { SignedList } from './signed-lists.ts';

/** Authority whose CRLs this copy can sign. */
export interface CrlAuthority {
  readonly name: string;
  readonly identity: IssuerIdentity;
  readonly sign: Signer;
  readonly publicKey: KeyObject;
  /** Time from thisUpdate to nextUpdate. */
  readonly lifetimeMs: number;
  /**
   * Returns the address of a CRL that covers only the certificates that name it; undefined for a CRL that covers all.
   */
  readonly distributionPoint: (shard: number) => string | undefined;
  /** Rules for a long complete CRL; undefined where it has no delta. */
  readonly delta: DeltaRules | undefined;
}

export interface DeltaRules {
  /** Number of entries from which a complete CRL gets a delta. */
  readonly fromEntries: number;
  /** Address of the delta. */
  readonly uri: string;
  readonly lifetimeMs: number;
  /** Time between two complete CRLs with a delta, when there are changes. */
  readonly restMs: number;
}

export interface SignCrlDeps {
  readonly ledger: CrlLedger;
  /** Proves each entry: rows alone are not trusted. */
  readonly proof: Pick<StatusProof, 'prove' | 'proveByCertificate'>;
  /** Returns the current authorities: they are added while the service runs. */
  readonly authorities: () => readonly CrlAuthority[];
  /** Highest shard that certificates get today. */
  readonly shards: number;
  readonly leaseSeconds: number;
}

/** Bytes per write: each part is copied several times on its way to the database. */
const partOctets = 64 * 1024;

/** Maximum delay until an entry of the audit log is visible; longer than any transaction. */
const maxDelayMs = HOUR_MS;

/**
 * Signs the most urgent CRL, if any is due. If the process dies, the old CRL is served, and the work is repeated when
 * the lease ends.
 * @returns the signed CRL, undefined if none was due
 */
export function createSignNextCrl(deps: SignCrlDeps): () => Promise<LeasedCrl | undefined> {
  const { ledger, authorities, shards, leaseSeconds } = deps;
  return async () => {
    const byName = new Map(authorities().map((authority) => [authority.name, authority]));
    const rules = [...byName.values()].map(({ name, lifetimeMs, delta }) => ({
      issuer: name,
      renewMs: lifetimeMs / 2,
      restMs: restMs(lifetimeMs, delta),
    }));
    const leased = await ledger.lease({ rules, shards, leaseSeconds });
    if (leased === undefined) return undefined;
    const authority = byName.get(leased.issuer);
    if (authority === undefined) throw new Error(`a CRL of ${leased.issuer} was leased without its key`);
    crashpoint(crlCrashPoints.crlAfterLease);
    await ledger.whileLeased(leased, leaseSeconds, async () => {
      const signed = await sign(authority, leased, deps);
      crashpoint(crlCrashPoints.crlAfterSign);
      // Another copy may have taken over after the lease ended: its CRL has a higher number, and this one is discarded.
      await ledger.store(leased, signed);
    });
    crashpoint(crlCrashPoints.crlAfterStore);
    return leased;
  };
}

/** Creates the list and stores its pieces. Memory holds its bytes once, and one page of rows or one piece. */
async function sign(
  authority: CrlAuthority,
  leased: LeasedCrl,
  { ledger, proof }: Pick<SignCrlDeps, 'ledger' | 'proof'>,
): Promise<SignedCrl> {
  const { identity, delta } = authority;
  const lastSigned = await loadPreviousList(leased, ledger);
  await ledger.clearNumbers(leased);
  const thisUpdate = leased.now;
  const addMs = (ms: number) => new Date(thisUpdate.getTime() + ms);
  const lifetimeMs = leased.base && delta ? delta.lifetimeMs : authority.lifetimeMs;
  const entries = leased.base
    ? generateDeltaEntries(leased, { proof, changed: await changedSinceBase(leased, ledger) })
    : completeEntries(authority, leased, lastSigned, { ledger, proof });
  const { tbs, isBase } = await buildSignedPart(authority, leased, { entries, lifetimeMs });
  const parts = await signCrlParts(tbs, identity.signatureAlgorithm, authority.sign);
  const sha256 = createHash('sha256');
  let octets = 0;
  for (const part of splitPieces(parts, partOctets)) {
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
    nextUpdate: addMs(lifetimeMs),
    renewAt: addMs(lifetimeMs / 2),
    restUntil: addMs(isBase ? restMs(lifetimeMs, delta) : 0),
    isBase,
  };
}

/** Returns the time between two complete lists when there are changes. */
function restMs(lifetimeMs: number, delta: DeltaRules | undefined): number {
  return delta === undefined ? 0 : Math.min(delta.restMs, lifetimeMs / 2);
}

/**
 * Loads the previous complete list.
 * @throws Error where the number was used before, because an older row was restored
 */
async function loadPreviousList(leased: LeasedCrl, ledger: CrlLedger): Promise<SignedList | undefined> {
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
  lastSigned: SignedList | undefined,
  { ledger, proof }: Pick<SignCrlDeps, 'ledger' | 'proof'>,
): AsyncIterable<readonly CrlEntry[]> {
  const { issuer, shard } = leased;
  const since = listedSince(leased, lastSigned, lifetimeMs);
  const rules = lastSigned && { stated: lastSigned, publicKey, distributionPoint: distributionPoint(shard) };
  const previous =
    rules && (await readPreviousList(ledger.pieces({ issuer, shard }, lastSigned.number), rules));
  const changes: ChangesSince = {
    // Uses the time that the authority signed, not the audit entry's detail, which a stolen key file can create too.
    since: previous && lastSigned ? new Date(lastSigned.thisUpdate.getTime() - maxDelayMs) : new Date(0),
    known: undefined,
  };
  yield* generateCompleteEntries({ issuer, shard, since }, ledger.entries(leased, since), {
    proof,
    previous,
    changed: ledger.changedSerials(changes),
  });
}

/**
 * Lists the changes since the base by its audit entry. A base without one, of an earlier release or of a row that nobody
 * signed, may be any list: then all changes of the audit log count.
 */
async function changedSinceBase(
  { issuer, shard, base }: LeasedCrl,
  ledger: CrlLedger,
): Promise<AsyncIterable<readonly string[]>> {
  const known = base && (await ledger.signed.numbered({ issuer, shard, isDelta: false }, base.number));
  const since = known === undefined ? new Date(0) : new Date(known.leasedAt.getTime() - maxDelayMs);
  return ledger.changedSerials({ since, known });
}

async function buildSignedPart(
  { identity, distributionPoint, delta }: CrlAuthority,
  leased: LeasedCrl,
  { entries, lifetimeMs }: { entries: AsyncIterable<readonly CrlEntry[]>; lifetimeMs: number },
): Promise<{ tbs: Uint8Array[]; isBase: boolean }> {
  const { number, now: thisUpdate, base, shard } = leased;
  const { count, pieces } = await encodeEntries(entries);
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

/** Encodes the entries: each page of rows becomes bytes before the next one is read. */
async function encodeEntries(
  pages: AsyncIterable<readonly CrlEntry[]>,
): Promise<{ count: number; pieces: Uint8Array[] }> {
  const writer = crlEntryWriter();
  let count = 0;
  for await (const page of pages) {
    for (const entry of page) writer.add(entry);
    count += page.length;
    // Lets other work run.
    await setImmediate();
  }
  return { count, pieces: writer.pieces() };
}

/** Splits the parts into pieces of one size; the last may be shorter. A piece is valid until the next is requested. */
function* splitPieces(parts: readonly Uint8Array[], size: number): Iterable<Buffer> {
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
 * Returns since when expired certificates are listed. RFC 5280 §3.3: an entry stays until it was on a scheduled CRL
 * issued after its certificate expired. One lifetime before the last issued CRL is enough: that period contains a
 * scheduled CRL, also when the service was down in between.
 */
function listedSince(
  { previousThisUpdate }: LeasedCrl,
  lastSigned: SignedList | undefined,
  lifetimeMs: number,
): Date {
  const times = [previousThisUpdate ?? new Date(0), lastSigned?.thisUpdate ?? new Date()];
  return new Date(Math.min(...times.map((time) => time.getTime())) - lifetimeMs);
}
