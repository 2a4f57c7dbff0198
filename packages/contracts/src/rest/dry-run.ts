import { z } from 'zod';
import { errorDetailSchema } from '../shared/errors.ts';

/** Asks a registration what it would answer; nothing is registered. */
export const dryRunQuery = z.object({
  dryRun: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      '`true`: every check of the registration is made and nothing is stored. What would be refused is answered with the same error',
    ),
});

const warningSchema = z
  .object({ code: z.string(), field: z.string().optional(), message: z.string() })
  .meta({ id: 'Warning' });

export const dryRunResultSchema = z
  .object({
    valid: z.boolean().describe('`false`: it would be registered in ERROR, for the reasons in `errors`'),
    warnings: z.array(warningSchema).describe('What is odd and no reason to refuse'),
    errors: z.array(errorDetailSchema).optional(),
  })
  .meta({ id: 'DryRunResult' });
export type DryRunResult = z.infer<typeof dryRunResultSchema>;
