import { z } from 'zod';
import { errorTextSchema } from '../error-texts/error-text.ts';
import { answeredDetailSchema } from '../shared/errors.ts';
import type { Operation } from './operation.ts';

/** Query that checks a registration without storing it. */
export const dryRunQuery = z.object({
  dryRun: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      '`true`: makes every check of the registration and stores nothing. A registration that would be refused gets the same error',
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
    valid: z
      .boolean()
      .describe('`false`: the request would be registered in ERROR, for the reasons in `errors`'),
    warnings: z.array(warningSchema).describe('Findings that do not prevent the registration'),
    errors: z.array(answeredDetailSchema).optional(),
  })
  .meta({ id: 'DryRunResult' });
export type DryRunResult = z.infer<typeof dryRunResultSchema>;

type Registration = Operation & Required<Pick<Operation, 'body' | 'dryRun'>>;

/**
 * Describes the dry run of a registration as its own operation: with `?dryRun=true` one operation answers two forms,
 * which generated clients cannot tell apart.
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

/** End of the path of every dry run. */
export const dryRunSuffix = '/dry-run';
const dryRunDescription =
  'Makes every check of the registration and stores nothing: no event is sent, no quota is used, and the reference stays free. A registration that would be refused gets the same error. Warns of anything that a registration ignores, for example a misspelt field. `?dryRun=true` at the address of the registration gives the same answer.';
