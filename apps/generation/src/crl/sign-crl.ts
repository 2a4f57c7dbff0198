import { crlTbs, type IssuerIdentity, type Signer, signCrl } from '@rubrica/pki';
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
}

export interface SignCrlDeps {
  readonly ledger: CrlLedger;
  /** As they are now: authorities are added while the service runs. */
  readonly authorities: () => readonly CrlAuthority[];
  readonly leaseSeconds: number;
}

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
    const signed = await sign(authority, leased, ledger);
    crashpoint(revocationCrashPoints.crlAfterSign);
    // Another copy may have found this one too slow: its CRL has a higher number, and this one is thrown away.
    await ledger.store(leased, signed);
    crashpoint(revocationCrashPoints.crlAfterStore);
    return leased;
  };
}

async function sign(authority: CrlAuthority, leased: LeasedCrl, ledger: CrlLedger): Promise<SignedCrl> {
  const { identity, lifetimeMs, distributionPoint } = authority;
  const thisUpdate = leased.now;
  const nextUpdate = new Date(thisUpdate.getTime() + lifetimeMs);
  const entries = await ledger.entries(leased, keptSince(leased, lifetimeMs));
  const tbs = crlTbs({
    issuer: identity,
    number: BigInt(leased.number),
    thisUpdate,
    nextUpdate,
    entries: entries.map(({ serial, at, reason }) => ({ serial, revokedAt: at, reason })),
    distributionPoint: distributionPoint(leased.shard),
  });
  const der = await signCrl(tbs, identity.signatureAlgorithm, authority.sign);
  return { der, thisUpdate, nextUpdate, renewAt: new Date(thisUpdate.getTime() + lifetimeMs / 2) };
}

/**
 * RFC 5280 §3.3: an entry stays until it was on a scheduled CRL issued after its certificate had expired. One life of
 * a CRL before the last one that was issued: in that time there was a scheduled one, and where the service was down
 * meanwhile, the last one is from before that.
 */
function keptSince({ previousThisUpdate }: LeasedCrl, lifetimeMs: number): Date {
  return new Date((previousThisUpdate?.getTime() ?? 0) - lifetimeMs);
}
