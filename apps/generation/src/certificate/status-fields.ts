import type {
  CertificateStatus,
  RevocationReason,
  ShownRevocationReason,
} from '@rubrica/contracts/shared/enumerations';

/** Fields that decide whether a certificate is valid. */
export interface StatusFields {
  readonly notAfter: Date;
  readonly revokedAt?: Date | null | undefined;
  readonly revocationReason?: RevocationReason | null | undefined;
  readonly heldAt?: Date | null | undefined;
}

/** Revocation as CRL, OCSP and every view show it. */
export interface Revocation {
  readonly at: Date;
  readonly reason: ShownRevocationReason;
}

/**
 * Returns the effective revocation; undefined for a certificate that is neither revoked nor on certificate hold. One
 * that was on hold before its revocation counts as revoked since the hold (ITU-T X.509, certificateHold).
 */
export function toRevocation({ revokedAt, revocationReason, heldAt }: StatusFields): Revocation | undefined {
  if (revokedAt) return { at: heldAt ?? revokedAt, reason: revocationReason ?? 'unspecified' };
  return heldAt ? { at: heldAt, reason: 'certificateHold' } : undefined;
}

/** Computes the certificate's own status, independent of the request's. A certificate hold shows as a revocation. */
export function toCertificateStatus(standing: StatusFields, now: Date): CertificateStatus {
  if (toRevocation(standing) !== undefined) return 'REVOKED';
  return standing.notAfter < now ? 'EXPIRED' : 'VALID';
}
