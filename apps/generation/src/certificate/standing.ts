import type {
  CertificateStatus,
  RevocationReason,
  ShownRevocationReason,
} from '@rubrica/contracts/shared/enumerations';

/** What decides whether a certificate is good. */
export interface Standing {
  readonly notAfter: Date;
  readonly revokedAt?: Date | null | undefined;
  readonly revocationReason?: RevocationReason | null | undefined;
  readonly heldAt?: Date | null | undefined;
}

/** As CRL, OCSP and every view say it. */
export interface Revocation {
  readonly at: Date;
  readonly reason: ShownRevocationReason;
}

/**
 * The revocation that is in force; undefined for a certificate that is neither revoked nor on certificate hold.
 * One that was on hold before it was revoked counts as revoked since the hold (ITU-T X.509, certificateHold).
 */
export function revocationOf({ revokedAt, revocationReason, heldAt }: Standing): Revocation | undefined {
  if (revokedAt) return { at: heldAt ?? revokedAt, reason: revocationReason ?? 'unspecified' };
  return heldAt ? { at: heldAt, reason: 'certificateHold' } : undefined;
}

/** The certificate's own axis of states: it does not follow the request's. A certificate hold shows as a revocation. */
export function statusOf(standing: Standing, now: Date): CertificateStatus {
  if (revocationOf(standing) !== undefined) return 'REVOKED';
  return standing.notAfter < now ? 'EXPIRED' : 'VALID';
}
