import { z } from 'zod';
import { instant } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

const authority = z.object({
  name: z.string().describe('Name of its public files: `/pki/<name>.cer` and `.crl`'),
  kind: z.enum(['root', 'issuing']),
  signs: z
    .boolean()
    .describe('True if it signs new certificates; other authorities sign CRLs and OCSP answers only'),
  keyIsElsewhere: z
    .boolean()
    .describe('True for a root whose key is stored offline: only a ceremony can use it'),
  subject: z.string(),
  serialNumber: z.string(),
  notBefore: instant,
  notAfter: instant,
  responderNotAfter: instant.nullable().describe('End of its OCSP responder certificate; null for a root'),
  crl: z
    .object({
      number: z.int().nullable().describe('null if the CRL came from a ceremony'),
      thisUpdate: instant,
      nextUpdate: instant,
    })
    .nullable()
    .describe('Complete CRL as it is served now; null if there is none yet'),
});

/** Operators' procedures for the certification authorities. */
export const authorityProcedures = {
  'authorities.list': {
    kind: 'query',
    service: 'generation',
    role: 'viewer',
    input: z.object({}).optional(),
    output: z.object({
      items: z.array(authority).describe('Roots first'),
      pending: z
        .array(z.string())
        .describe('Authorities whose key exists and whose certificate awaits a ceremony'),
    }),
  },
} as const satisfies Record<string, OperatorProcedure>;
