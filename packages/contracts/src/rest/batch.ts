import { z } from 'zod';
import { errorObjectSchema } from '../shared/errors.ts';
import { dryRunResultSchema } from './dry-run.ts';
import { linkedPartnerResultSchema } from './linked-partner.ts';

/** Result of one line of a batch. */
export const batchLineSchema = z
  .object({
    line: z.int().describe('Number of the line in the batch, from 1; blank lines count'),
    status: z.int().describe('HTTP status that the registration would have had as a single call'),
    retryAfter: z.int().optional().describe('Seconds until the line may be sent again, with 429 and 503'),
    body: z
      .union([linkedPartnerResultSchema, dryRunResultSchema, errorObjectSchema])
      .describe('Body that the registration would have had as a single call'),
  })
  .meta({ id: 'BatchLine' });
