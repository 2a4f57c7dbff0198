import type { CertificateStatus, generationContract, OperatorOutput } from '@rubrica/contracts';
import type { Certificate } from '../store/certificate.entity.ts';

/** The certificate's own axis of states: it does not follow the request's. */
export function statusOf(
  { revokedAt, notAfter }: Pick<Certificate, 'revokedAt' | 'notAfter'>,
  now: Date,
): CertificateStatus {
  if (revokedAt !== null && revokedAt !== undefined) return 'REVOKED';
  return notAfter < now ? 'EXPIRED' : 'VALID';
}

/** As intake asks for it. */
export const toCertificateState = (
  certificate: Certificate,
  now: Date,
): generationContract.CertificateState => ({
  serialNumber: certificate.serial,
  notBefore: certificate.notBefore.toISOString(),
  notAfter: certificate.notAfter.toISOString(),
  status: statusOf(certificate, now),
  revokedAt: certificate.revokedAt?.toISOString() ?? null,
  revocationReason: certificate.revocationReason ?? null,
});

/** As operators see it in a list. */
export const toOperatorsRow = (
  certificate: Certificate,
  now: Date,
): OperatorOutput<'certificates.search'>['items'][number] => ({
  id: certificate.id,
  requestId: certificate.requestId,
  serialNumber: certificate.serial,
  subject: certificate.subject,
  issuer: certificate.issuer,
  profile: certificate.profile,
  status: statusOf(certificate, now),
  notBefore: certificate.notBefore.toISOString(),
  notAfter: certificate.notAfter.toISOString(),
  issuedAt: certificate.issuedAt.toISOString(),
});

export const toPem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}/g, '$&\n')
    .trimEnd()}\n-----END CERTIFICATE-----\n`;
