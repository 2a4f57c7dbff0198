import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import type { Certificate } from './certificate.entity.ts';
import type { SignedCertificate } from './read-signed.ts';
import { toCertificateStatus, toRevocation } from './status-fields.ts';

/** Formats the state for intake. */
export function toCertificateState(certificate: Certificate, now: Date): generationContract.CertificateState {
  return {
    serialNumber: certificate.serial,
    ...toValidity(certificate),
    ...toStatus(certificate, now),
    version: certificate.statusVersion,
  };
}

/** Replaces the subject where no signed certificate states it. */
const unknownSubject = 'not known';

/**
 * Formats a row of a list for operators.
 * @param signed its signed file; undefined where there is none
 */
export function toOperatorsRow(
  certificate: Certificate,
  signed: SignedCertificate | undefined,
  now: Date,
): OperatorOutput<'certificates.search'>['items'][number] {
  return {
    id: certificate.id,
    requestId: certificate.requestId,
    serialNumber: certificate.serial,
    subject: signed?.subject ?? unknownSubject,
    issuer: certificate.issuer,
    profile: certificate.profile,
    ...toStatus(certificate, now),
    ...toValidity(signed ?? certificate),
    issuedAt: certificate.issuedAt.toISOString(),
  };
}

function toValidity({ notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>) {
  return { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString() };
}

function toStatus(certificate: Certificate, now: Date) {
  const revocation = toRevocation(certificate);
  return {
    status: toCertificateStatus(certificate, now),
    revokedAt: revocation?.at.toISOString() ?? null,
    revocationReason: revocation?.reason ?? null,
  };
}

export function toPem(der: Uint8Array): string {
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}/g, '$&\n')
    .trimEnd()}\n-----END CERTIFICATE-----\n`;
}
