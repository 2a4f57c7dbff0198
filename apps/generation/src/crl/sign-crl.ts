import { crlTbs, type IssuerIdentity, type Signer, signCrl } from '@rubrica/pki';
import { crashpoint } from '@rubrica/process';
import { revocationCrashPoints } from '../revocation-crash-points.ts';
import type { ClaimedCrl, CrlLedger, SignedCrl } from './crl-ledger.ts';

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
 * taken up again when the lease ends.
 * @returns whether one was signed
 */
export function createSignNextCrl({
  ledger,
  authorities,
  leaseSeconds,
}: SignCrlDeps): () => Promise<ClaimedCrl | undefined> {
  return async () => {
    const byName = new Map(authorities().map((authority) => [authority.name, authority]));
    const names = [...byName.keys()];
    const claimed = await ledger.claim(names, leaseSeconds);
    if (claimed === undefined) return undefined;
    const authority = byName.get(claimed.issuer);
    if (authority === undefined) throw new Error(`a CRL of ${claimed.issuer} was claimed without its key`);
    crashpoint(revocationCrashPoints.crlAfterClaim);
    const signed = await sign(authority, claimed, ledger);
    crashpoint(revocationCrashPoints.crlAfterSign);
    // Another copy may have found this one too slow: its CRL has a higher number, and this one is thrown away.
    await ledger.store(claimed, signed);
    crashpoint(revocationCrashPoints.crlAfterStore);
    return claimed;
  };
}

async function sign(authority: CrlAuthority, claimed: ClaimedCrl, ledger: CrlLedger): Promise<SignedCrl> {
  const { identity, lifetimeMs, distributionPoint } = authority;
  const thisUpdate = claimed.now;
  const nextUpdate = new Date(thisUpdate.getTime() + lifetimeMs);
  const entries = await ledger.entries(claimed, keptSince(claimed, lifetimeMs));
  const tbs = crlTbs({
    issuer: identity,
    number: BigInt(claimed.number),
    thisUpdate,
    nextUpdate,
    entries: entries.map(({ serial, at, reason }) => ({ serial, revokedAt: at, reason })),
    distributionPoint: distributionPoint(claimed.shard),
  });
  const der = await signCrl(tbs, identity.signatureAlgorithm, authority.sign);
  return { der, thisUpdate, nextUpdate, renewAt: new Date(thisUpdate.getTime() + lifetimeMs / 2) };
}

/**
 * RFC 5280 §3.3: an entry stays until it was on a scheduled CRL issued after its certificate had expired. One life of
 * a CRL before the last one that was issued: in that time there was a scheduled one, and where the service stood still
 * meanwhile, the last one is as old as the standstill.
 */
function keptSince({ previousThisUpdate }: ClaimedCrl, lifetimeMs: number): Date {
  return new Date((previousThisUpdate?.getTime() ?? 0) - lifetimeMs);
}
