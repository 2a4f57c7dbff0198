import { z } from 'zod';
import { idSchema } from '../shared/fields.ts';
import { termsContent, termsRecordSchema, termsTypeSchema, termsVersionLabel } from '../shared/terms.ts';
import { waitingChange } from './approvals.ts';
import { change, page, search } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';
import { activatesTerms, neverNeedsSecond } from './second-approver.ts';

const changeById = z.object({ id: idSchema, ...change });

/** Operators' procedures for the terms and conditions. */
export const termsProcedures = {
  'terms.list': {
    kind: 'query',
    service: 'terms',
    role: 'viewer',
    input: z.object({ ...search, type: termsTypeSchema.optional() }),
    output: page(termsRecordSchema),
  },
  'terms.createVersion': {
    kind: 'mutation',
    service: 'terms',
    role: 'admin',
    input: z.object({ type: termsTypeSchema, version: termsVersionLabel, content: termsContent, ...change }),
    output: termsRecordSchema,
    // Applicants do not see a version before it is activated.
    second: neverNeedsSecond,
  },
  'terms.activate': {
    kind: 'mutation',
    service: 'terms',
    role: 'admin',
    input: changeById,
    output: termsRecordSchema.extend(waitingChange),
    second: activatesTerms,
  },
} as const satisfies Record<string, OperatorProcedure>;
