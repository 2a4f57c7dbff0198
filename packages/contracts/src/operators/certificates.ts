import { z } from 'zod';
import {
  certificateStatusSchema,
  revocationReasonSchema,
  shownRevocationReasonSchema,
} from '../shared/enumerations.ts';
import { idSchema, instant, line, serialNumber } from '../shared/fields.ts';
import { waits } from './approvals.ts';
import { change, lookedPage, search } from './common.ts';
import { holdNotice } from './hold-notice.ts';
import type { OperatorProcedure } from './procedure.ts';
import { oneIsEnough, stopsPerHour } from './second.ts';

const certificate = z.object({
  id: idSchema,
  requestId: idSchema,
  serialNumber: z.string(),
  subject: z
    .string()
    .describe('As the authority signed it; `not known` where no certificate that it signed is stored'),
  issuer: z.string(),
  profile: z.string(),
  status: certificateStatusSchema.describe('A hold shows as REVOKED, with the reason certificateHold'),
  revokedAt: instant.nullable().describe('Since when it is not valid, as CRL and OCSP say it'),
  revocationReason: shownRevocationReasonSchema.nullable(),
  notBefore: instant,
  notAfter: instant,
  issuedAt: instant,
});

/** By id or by serial number. */
const certificateName = {
  id: idSchema.optional(),
  serialNumber: serialNumber.optional(),
} as const;
const isNamed = [
  ({ id, serialNumber }: { id?: string | undefined; serialNumber?: string | undefined }) =>
    id !== undefined || serialNumber !== undefined,
  'id or serialNumber is required',
] as const;

const certificateDetail = certificate.extend({
  keyAlgorithm: z.string(),
  requestedNotAfter: instant.describe('The end that the period asked for'),
  cappedBy: z.enum(['ISSUER', 'APPOINTMENT']).nullable(),
  heldAt: instant.nullable(),
  holdNotice: z
    .object({ es: z.string(), en: z.string() })
    .nullable()
    .describe(
      'To be read before `certificates.hold`: what a hold does that a release does not undo. Null where none may be put on',
    ),
  crlUri: z.string().describe('The CRL that speaks of it'),
  pem: z
    .string()
    .nullable()
    .describe(
      'null for viewers, since the subject stands in it, and where no certificate that the authority signed is stored',
    ),
  /** Every decision about it, oldest first. */
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
  serialNumber: line(40).optional(),
  requestId: idSchema.optional(),
  identificationNumber: line(20).optional().describe('For reviewers and administrators'),
  name: line(200)
    .optional()
    .describe('Each word begins a word of the names in the subject; accents and case do not count'),
  status: certificateStatusSchema.optional(),
  notAfterFrom: instant.optional().describe('Ends at this time or later'),
  notAfterTo: instant.optional().describe('Ends before this time'),
} as const;

/** The whole register is nobody's to revoke in one call. */
function namesSome(input: object): boolean {
  return Object.keys(certificateFilters).some((name) => name !== 'status' && Object.hasOwn(input, name));
}

/** Operators' procedures about certificates. */
export const certificateProcedures = {
  'certificates.search': {
    kind: 'query',
    takesTurns: true,
    service: 'generation',
    role: 'viewer',
    input: z.object({ ...search, ...certificateFilters }),
    output: lookedPage(certificate),
    readsApplicants: true,
  },
  'certificates.get': {
    kind: 'query',
    service: 'generation',
    role: 'viewer',
    input: z.object(certificateName).refine(...isNamed),
    output: certificateDetail,
    readsApplicants: true,
  },
  'certificates.revoke': {
    kind: 'mutation',
    service: 'generation',
    role: 'admin',
    input: z
      .object({
        ...certificateName,
        revocationReason: revocationReasonSchema
          .optional()
          .describe('Absent: `reason` where that is one of these words, else unspecified'),
        ...change,
      })
      .refine(...isNamed),
    output: certificate.extend(waits),
    second: oneIsEnough,
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
          .describe('How many valid ones the filters find; where they find others, nothing is done'),
        revocationReason: revocationReasonSchema,
        reason: line(500).describe('Goes to the audit log with each of them'),
      })
      .refine(namesSome, 'at least one filter is required'),
    output: z.object({ revoked: z.int().min(0), ...waits }),
  },
  'certificates.hold': {
    kind: 'mutation',
    service: 'generation',
    role: 'admin',
    input: z
      .object({ ...certificateName, ...change })
      .refine(...isNamed)
      .describe(holdNotice.en),
    output: certificate.extend(waits),
    second: oneIsEnough,
    alonePerHour: stopsPerHour,
  },
  'certificates.release': {
    kind: 'mutation',
    service: 'generation',
    role: 'admin',
    input: z.object({ ...certificateName, ...change }).refine(...isNamed),
    output: certificate.extend(waits),
  },
} as const satisfies Record<string, OperatorProcedure>;
