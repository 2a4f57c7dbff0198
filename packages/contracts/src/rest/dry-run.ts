import { z } from 'zod';
import { errorTextSchema } from '../error-texts/error-text.ts';
import { answeredDetailSchema } from '../shared/errors.ts';
import type { Operation } from './operation.ts';

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

/** Warning between services: the edge renders `text`. */
export const serviceWarningSchema = warningSchema.extend({ text: errorTextSchema.optional() });
export type ServiceWarning = z.infer<typeof serviceWarningSchema>;

export const dryRunResultSchema = z
  .object({
    valid: z.boolean().describe('`false`: it would be registered in ERROR, for the reasons in `errors`'),
    warnings: z.array(warningSchema).describe('What is odd and no reason to refuse'),
    errors: z.array(answeredDetailSchema).optional(),
  })
  .meta({ id: 'DryRunResult' });
export type DryRunResult = z.infer<typeof dryRunResultSchema>;

type Registration = Operation & Required<Pick<Operation, 'body' | 'dryRun'>>;

/**
 * The dry run of a registration as an operation of its own: `?dryRun=true` makes one operation answer two forms, which
 * generated clients cannot tell apart.
 */
export function dryRunOperation<const Row extends Registration>(row: Row, summary: string) {
  return {
    method: 'POST',
    path: `${row.path}${dryRunSuffix}`,
    tag: row.tag as Row['tag'],
    summary,
    description: dryRunDescription,
    access: row.access as Row['access'],
    body: row.body as Row['body'],
    maxBodyBytes: row.maxBodyBytes as Row['maxBodyBytes'],
    success: dryRunResultSchema,
    errors: row.errors as Row['errors'],
  } as const;
}

/** Ends the address of every dry run. */
export const dryRunSuffix = '/dry-run';
const dryRunDescription =
  'Every check of the registration is made and nothing is stored: no event, no quota used, and the reference stays free. What would be refused is refused with the same error. Warns of what a registration ignores, such as a field that is misspelt. `?dryRun=true` at the address of the registration answers the same.';
