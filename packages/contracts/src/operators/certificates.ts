import { z } from 'zod';
import {
  certificateStatusSchema,
  revocationReasonSchema,
  shownRevocationReasonSchema,
} from '../shared/enumerations.ts';
import { idSchema, instant, lineField, serialNumber } from '../shared/fields.ts';
import { waitingChange } from './approvals.ts';
import { boundedPage, change, search } from './common.ts';
import { holdNotice } from './hold-notice.ts';
import type { OperatorProcedure } from './procedure.ts';
import { neverNeedsSecond, stopsPerHour } from './second-approver.ts';

const certificate = z.object({
  id: idSchema,
  requestId: idSchema,
  serialNumber: z.string(),
  subject: z
    .string()
    .describe('Subject as the authority signed it; `not known` if no certificate signed by it is stored'),
  issuer: z.string(),
  profile: z.string(),
  status: certificateStatusSchema.describe(
    'A certificate on hold is REVOKED, with the reason certificateHold',
  ),
  revokedAt: instant.nullable().describe('Time from which the certificate is not valid, as in CRL and OCSP'),
  revocationReason: shownRevocationReasonSchema.nullable(),
  notBefore: instant,
  notAfter: instant,
  issuedAt: instant,
});

/** Identifies a certificate by id or by serial number. */
const certificateIdentifier = {
  id: idSchema.optional(),
  serialNumber: serialNumber.optional(),
} as const;
const identifierRequired = [
  ({ id, serialNumber }: { id?: string | undefined; serialNumber?: string | undefined }) =>
    id !== undefined || serialNumber !== undefined,
  'id or serialNumber is required',
] as const;

const certificateDetail = certificate.extend({
  keyAlgorithm: z.string(),
  requestedNotAfter: instant.describe('End according to the requested period'),
  cappedBy: z.enum(['ISSUER', 'APPOINTMENT']).nullable(),
  heldAt: instant.nullable(),
  holdNotice: z
    .object({ es: z.string(), en: z.string() })
    .nullable()
    .describe(
      'Warning to read before `certificates.hold`: effects of a hold that a release does not undo. null if the certificate cannot be put on hold',
    ),
  crlUri: z.string().describe('CRL that covers the certificate'),
  pem: z
    .string()
    .nullable()
    .describe(
      'null for viewers, because it contains the subject, and if no certificate signed by the authority is stored',
    ),
  /** Every decision about the certificate, oldest first. */
  history: z.array(
    z.object({
      at: instant,
      action: z.string(),
      actor: z.string(),
      revocationReason: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

const certificateFilters = {
  serialNumber: lineField(40).optional(),
  requestId: idSchema.optional(),
  identificationNumber: lineField(20)
    .optional()
    .describe('Only reviewers and administrators may search by it'),
  name: lineField(200)
    .optional()
    .describe('Each word must begin a word of the names in the subject, ignoring accents and case'),
  status: certificateStatusSchema.optional(),
  notAfterFrom: instant.optional().describe('Ends at this time or later'),
  notAfterTo: instant.optional().describe('Ends before this time'),
} as const;

/** A revocation of the whole register in one call is not allowed. */
function hasFilter(input: object): boolean {
  return Object.keys(certificateFilters).some((name) => name !== 'status' && Object.hasOwn(input, name));
}

/** Operators' procedures for certificates. */
export const certificateProcedures = {
  'certificates.search': {
    kind: 'query',
    takesTurns: true,
    service: 'generation',
    role: 'viewer',
    input: z.object({ ...search, ...certificateFilters }),
    output: boundedPage(certificate),
    readsApplicants: true,
  },
  'certificates.get': {
    kind: 'query',
    service: 'generation',
    role: 'viewer',
    input: z.object(certificateIdentifier).refine(...identifierRequired),
    output: certificateDetail,
    readsApplicants: true,
  },
  'certificates.revoke': {
    kind: 'mutation',
    service: 'generation',
    role: 'admin',
    input: z
      .object({
        ...certificateIdentifier,
        revocationReason: revocationReasonSchema
          .optional()
          .describe('Default: `reason` if it is one of these values, otherwise unspecified'),
        ...change,
      })
      .refine(...identifierRequired),
    output: certificate.extend(waitingChange),
    second: neverNeedsSecond,
    alonePerHour: stopsPerHour,
  },
  'certificates.revokeMany': {
    kind: 'mutation',
    service: 'generation',
    role: 'admin',
    input: z
      .object({
        ...certificateFilters,
        status: z.literal('VALID').optional(),
        count: z
          .int()
          .min(1)
          .max(500)
          .describe(
            'Number of valid certificates that the filters match; with any other number nothing is revoked',
          ),
        revocationReason: revocationReasonSchema,
        reason: lineField(500).describe('Stored in the audit log with each certificate'),
      })
      .refine(hasFilter, 'at least one filter is required'),
    output: z.object({ revoked: z.int().min(0), ...waitingChange }),
  },
  'certificates.hold': {
    kind: 'mutation',
    service: 'generation',
    role: 'admin',
    input: z
      .object({ ...certificateIdentifier, ...change })
      .refine(...identifierRequired)
      .describe(holdNotice.en),
    output: certificate.extend(waitingChange),
    second: neverNeedsSecond,
    alonePerHour: stopsPerHour,
  },
  'certificates.release': {
    kind: 'mutation',
    service: 'generation',
    role: 'admin',
    input: z.object({ ...certificateIdentifier, ...change }).refine(...identifierRequired),
    output: certificate.extend(waitingChange),
  },
} as const satisfies Record<string, OperatorProcedure>;
