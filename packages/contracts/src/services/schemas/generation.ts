import { z } from 'zod';
import {
  certificateStatusSchema,
  partnerRevocationReasonSchema,
  shownRevocationReasonSchema,
} from '../../shared/enumerations.ts';
import { idSchema, instant, lineField, sealed, text } from '../../shared/fields.ts';
import { grant } from './grants.ts';

/** Releases the bundle of the request that the grant names. Nothing else in the input is trusted. */
export const releaseBundleInput = z.object({
  grant,
  /** Encoding of the PKCS#12; absent: as issued. `legacy` only with a grant that allows it. */
  encoding: z.enum(['modern', 'legacy']).optional(),
});

/**
 * Released bundle. `sealed` holds JSON `{file, password}` (base64 of the PKCS#12; the password), sealed to the calling
 * service.
 */
export const releasedBundle = z.object({
  requestId: idSchema,
  serialNumber: z.string(),
  notBefore: instant,
  notAfter: instant,
  sealed,
});

export const certificateByRequestInput = z.object({ requestId: idSchema, partnerId: idSchema });
export const certificateState = z.object({
  serialNumber: z.string(),
  notBefore: instant,
  notAfter: instant,
  status: certificateStatusSchema,
  /** Start of the invalidity; for a certificate that was held first, the day of the hold (X.509, reasonCode). */
  revokedAt: instant.nullable(),
  revocationReason: shownRevocationReasonSchema.nullable(),
  /** Grows with every change of the status: an older record never replaces a newer one. */
  version: z.int(),
});
export type CertificateState = z.infer<typeof certificateState>;

/**
 * Revokes for a partner. Intake has checked that the certificate belongs to it; generation compares the caller with the
 * partner of the order.
 */
export const revokeForPartnerInput = z.object({
  requestId: idSchema,
  serialNumber: text(40),
  reason: partnerRevocationReasonSchema,
  comment: lineField(500).optional(),
});
export type RevokeForPartner = z.infer<typeof revokeForPartnerInput>;

/** Revokes a certificate that an issued renewal replaces, as intake has checked. */
export const revokeSupersededInput = z.object({
  requestId: idSchema,
  partnerId: idSchema,
  serialNumber: text(40),
});

/** Published file of the authority: `{name}.cer` or `{name}.crl`, DER in base64. */
export const pkiFileInput = z.object({
  file: z.string().regex(/^[a-z0-9-]{1,60}\.(cer|crl)$/),
  /** Offset, in octets, at which the answer begins. */
  from: z.int().min(0).default(0),
});
/** Octets of one answer: a CRL may be far larger than a bus message. */
export const pkiPieceOctets = 2 * 1024 * 1024;
export const pkiFile = z.object({
  /** Piece of the file, at most `pkiPieceOctets`. Pieces with the same `etag` belong to one file. */
  content: z.base64(),
  /** Octets of the whole file. */
  octets: z.int(),
  mediaType: z.string(),
  maxAgeSeconds: z.int(),
  etag: z.string(),
  lastModified: instant.optional(),
});

/** Largest OCSP request that the gateway accepts. The content is not checked here. */
export const maxOcspRequestBytes = 16 * 1024;
export const ocspInput = z.object({ request: z.base64().max(Math.ceil(maxOcspRequestBytes / 3) * 4) });
/** OCSP response, DER in base64. Its caching is that of RFC 5019 §6; null if it must not be cached. */
export const ocspAnswer = z.object({
  response: z.base64(),
  caching: z
    .object({ maxAgeSeconds: z.int(), etag: z.string(), lastModified: instant, expires: instant })
    .nullable(),
});
export type OcspAnswer = z.infer<typeof ocspAnswer>;
export const pkiIndex = z.object({ root: z.string(), issuing: z.string() });
