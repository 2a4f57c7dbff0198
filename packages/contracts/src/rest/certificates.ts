import { z } from 'zod';
import { partnerRevocationReasonSchema, shownRevocationReasonSchema } from '../shared/enumerations.ts';
import * as field from '../shared/fields.ts';

/**
 * Identifies a certificate by its serial number, by its request's referenceTransaction, or by both, which must agree.
 */
export const revokeCertificateShape = {
  serialNumber: field.serialNumber.optional(),
  referenceTransaction: field.referenceTransaction.optional(),
  reason: partnerRevocationReasonSchema.describe('Reason, as named in RFC 5280 §5.3.1'),
  comment: field.lineField(500).optional().describe('Stored in the audit log'),
} as const;
export const revokeCertificateSchema = z.object(revokeCertificateShape).meta({ id: 'RevokeCertificate' });

export const revokedCertificateSchema = z
  .object({
    serialNumber: z.string().describe('Upper-case hexadecimal, as OpenSSL prints it'),
    status: z.literal('REVOKED'),
    revocationReason: shownRevocationReasonSchema,
    revokedAt: z
      .string()
      .describe('ISO 8601 without zone; time from which the certificate is not valid, as in CRL and OCSP'),
  })
  .meta({ id: 'RevokedCertificate' });
