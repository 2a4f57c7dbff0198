import { z } from 'zod';
import { idSchema } from '../shared/fields.ts';
import { termsContent, termsRecordSchema, termsTypeSchema, termsVersionLabel } from '../shared/terms.ts';
import { waits } from './approvals.ts';
import { change, page, search } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';
import { activatesTerms, oneIsEnough } from './second.ts';

const changeById = z.object({ id: idSchema, ...change });

/** Operators' procedures about what people accept. */
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
    // Nobody is shown it before it is activated.
    second: oneIsEnough,
  },
  'terms.activate': {
    kind: 'mutation',
    service: 'terms',
    role: 'admin',
    input: changeById,
    output: termsRecordSchema.extend(waits),
    second: activatesTerms,
  },
} as const satisfies Record<string, OperatorProcedure>;
