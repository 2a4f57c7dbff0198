import { z } from 'zod';
import { termsRecordSchema, termsTypeSchema } from '../shared/terms.ts';
import { anyone, type Call, call } from './call.ts';

/** Calls that terms answers. */
export const termsCalls = {
  'terms.active': call({
    kind: 'query',
    about: 'the active version of a type, or NO_ACTIVE_TERMS',
    callers: ['gateway', 'intake'],
    actsFor: anyone,
    input: z.object({ type: termsTypeSchema }),
    output: termsRecordSchema,
  }),
} as const satisfies Record<string, Call>;
