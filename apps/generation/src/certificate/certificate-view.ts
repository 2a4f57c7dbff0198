import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import type { Certificate } from './certificate.entity.ts';
import { revocationOf, statusOf } from './standing.ts';

/** As intake asks for it. */
export function toCertificateState(certificate: Certificate, now: Date): generationContract.CertificateState {
  return {
    serialNumber: certificate.serial,
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    ...toStatus(certificate, now),
    version: certificate.statusVersion,
  };
}

/** As operators see it in a list. */
export function toOperatorsRow(
  certificate: Certificate,
  now: Date,
): OperatorOutput<'certificates.search'>['items'][number] {
  return {
    id: certificate.id,
    requestId: certificate.requestId,
    serialNumber: certificate.serial,
    subject: certificate.subject,
    issuer: certificate.issuer,
    profile: certificate.profile,
    ...toStatus(certificate, now),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    issuedAt: certificate.issuedAt.toISOString(),
  };
}

function toStatus(certificate: Certificate, now: Date) {
  const revocation = revocationOf(certificate);
  return {
    status: statusOf(certificate, now),
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
