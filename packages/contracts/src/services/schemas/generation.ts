import { z } from 'zod';
import {
  certificateStatusSchema,
  partnerRevocationReasonSchema,
  shownRevocationReasonSchema,
} from '../../shared/enumerations.ts';
import { idSchema, instant, line, sealed, text } from '../../shared/fields.ts';
import { grant } from './grants.ts';

/** The grant says of which request: nothing else that a caller says is looked at. */
export const releaseBundleInput = z.object({
  grant,
  /** Encoding of the PKCS#12; as it was issued where it is left out. `legacy` only by a grant that allows it. */
  encoding: z.enum(['modern', 'legacy']).optional(),
});

/** `sealed` holds JSON `{file, password}` (base64 of the PKCS#12; the password), sealed to the calling service. */
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
  /** Since when it is not valid: for one that was held first, the day of the hold (X.509, reasonCode). */
  revokedAt: instant.nullable(),
  revocationReason: shownRevocationReasonSchema.nullable(),
  /** Grows with every change of the status: what is older never replaces what is newer. */
  version: z.int(),
});
export type CertificateState = z.infer<typeof certificateState>;

/** Intake has found that the certificate is the partner's; generation compares the caller with whose order it was. */
export const revokeForPartnerInput = z.object({
  requestId: idSchema,
  serialNumber: text(40),
  reason: partnerRevocationReasonSchema,
  comment: line(500).optional(),
});
export type RevokeForPartner = z.infer<typeof revokeForPartnerInput>;

/** Intake has found that a renewal of it was issued which is to take its place. */
export const revokeSupersededInput = z.object({
  requestId: idSchema,
  partnerId: idSchema,
  serialNumber: text(40),
});

/** A published file of the authority: `{name}.cer` or `{name}.crl`, DER in base64. */
export const pkiFileInput = z.object({
  file: z.string().regex(/^[a-z0-9-]{1,60}\.(cer|crl)$/),
  /** The octet that the answer begins with. */
  from: z.int().min(0).default(0),
});
/** Octets of one answer: a CRL may be far larger than a bus message. */
export const pkiPieceOctets = 2 * 1024 * 1024;
export const pkiFile = z.object({
  /** `pkiPieceOctets` at most. Pieces with one `etag` are of one file. */
  content: z.base64(),
  /** Of the whole file. */
  octets: z.int(),
  mediaType: z.string(),
  maxAgeSeconds: z.int(),
  etag: z.string(),
  lastModified: instant.optional(),
});

/** An OCSP request as it came, whatever it holds; larger ones the gateway does not take. */
export const maxOcspRequestBytes = 16 * 1024;
export const ocspInput = z.object({ request: z.base64().max(Math.ceil(maxOcspRequestBytes / 3) * 4) });
/** An OCSP response, DER in base64. Its caching is that of RFC 5019 §6; null where it must not be kept. */
export const ocspAnswer = z.object({
  response: z.base64(),
  caching: z
    .object({ maxAgeSeconds: z.int(), etag: z.string(), lastModified: instant, expires: instant })
    .nullable(),
});
export type OcspAnswer = z.infer<typeof ocspAnswer>;
export const pkiIndex = z.object({ root: z.string(), issuing: z.string() });
