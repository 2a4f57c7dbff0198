import { z } from 'zod';
import { certificateStatusSchema } from '../enumerations.ts';
import { idSchema, instant, sealed } from '../fields.ts';

export const releaseBundleInput = z.object({ requestId: idSchema });

/** `sealed` holds JSON `{file, password}` (base64 of the PKCS#12; the password), sealed to the calling service. */
export const releasedBundle = z.object({
  requestId: idSchema,
  serialNumber: z.string(),
  notBefore: instant,
  notAfter: instant,
  sealed,
});
export type ReleasedBundle = z.infer<typeof releasedBundle>;

export const certificateByRequestInput = z.object({ requestId: idSchema });
export const certificateState = z.object({
  serialNumber: z.string(),
  notBefore: instant,
  notAfter: instant,
  status: certificateStatusSchema,
  revokedAt: instant.nullable(),
  revocationReason: z.string().nullable(),
});
export type CertificateState = z.infer<typeof certificateState>;

/** A published file of the authority: `{name}.cer`, DER in base64. */
export const pkiFileInput = z.object({ file: z.string().regex(/^[a-z0-9-]{1,60}\.(cer|crl)$/) });
export const pkiFile = z.object({
  content: z.base64(),
  mediaType: z.string(),
  maxAgeSeconds: z.int(),
  etag: z.string(),
});
export const pkiIndex = z.object({ root: z.string(), issuing: z.string() });
