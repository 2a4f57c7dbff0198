import { z } from 'zod';
import { partnerRevocationReasonSchema, shownRevocationReasonSchema } from '../shared/enumerations.ts';
import * as field from '../shared/fields.ts';

/** A certificate is named by its serial number, by its request's referenceTransaction, or by both, which must agree. */
export const revokeCertificateShape = {
  serialNumber: field.serialNumber.optional(),
  referenceTransaction: field.referenceTransaction.optional(),
  reason: partnerRevocationReasonSchema.describe('Why, in the words of RFC 5280 §5.3.1'),
  comment: field.line(500).optional().describe('Kept in the audit record'),
} as const;
export const revokeCertificateSchema = z.object(revokeCertificateShape).meta({ id: 'RevokeCertificate' });

export const revokedCertificateSchema = z
  .object({
    serialNumber: z.string().describe('Upper-case hexadecimal, as OpenSSL prints it'),
    status: z.literal('REVOKED'),
    revocationReason: shownRevocationReasonSchema,
    revokedAt: z
      .string()
      .describe('ISO 8601 without zone; since when the certificate is not valid, as CRL and OCSP say it'),
  })
  .meta({ id: 'RevokedCertificate' });
