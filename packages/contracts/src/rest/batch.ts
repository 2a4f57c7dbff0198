import { z } from 'zod';
import { errorObjectSchema } from '../shared/errors.ts';
import { dryRunResultSchema } from './dry-run.ts';
import { linkedPartnerResultSchema } from './linked-partner.ts';

/** What became of one line of a batch. */
export const batchLineSchema = z
  .object({
    line: z.int().describe('Number of the line in the batch, from 1; blank lines count'),
    status: z.int().describe('The status of HTTP that the registration would have had by itself'),
    retryAfter: z.int().optional().describe('Of 429 and 503: seconds until the line may be sent again'),
    body: z
      .union([linkedPartnerResultSchema, dryRunResultSchema, errorObjectSchema])
      .describe('What the registration would have been answered by itself'),
  })
  .meta({ id: 'BatchLine' });
