import { z } from 'zod';
import { instant } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

const authority = z.object({
  name: z.string().describe('Names its public files: `/pki/<name>.cer` and `.crl`'),
  kind: z.enum(['root', 'issuing']),
  signs: z.boolean().describe('It signs new certificates now; others sign CRLs and OCSP answers only'),
  keyIsElsewhere: z.boolean().describe('Of a root that was taken away: only a ceremony can use it'),
  subject: z.string(),
  serialNumber: z.string(),
  notBefore: instant,
  notAfter: instant,
  responderNotAfter: instant.nullable().describe('End of its OCSP responder; null for a root'),
  crl: z
    .object({
      number: z.int().nullable().describe('null: it came with the answers of a ceremony'),
      thisUpdate: instant,
      nextUpdate: instant,
    })
    .nullable()
    .describe('That of all its certificates, as it is served now; null where there is none yet'),
});

/** What stands behind every certificate. */
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
        .describe('Authorities whose key is made and whose certificate a ceremony has still to bring'),
    }),
  },
} as const satisfies Record<string, OperatorProcedure>;
