import { z } from 'zod';
import { checkMessage } from '../error-texts/check-message.ts';
import { certificateTypeSchema } from './enumerations.ts';

const limit = z.int().min(0).max(1_000_000_000);

const quotaPackage = z
  .strictObject({
    limit,
    from: z.iso.date().describe('The first day, in the time zone of the service'),
    until: z.iso.date().describe('The last day'),
  })
  .refine(({ from, until }) => from <= until, {
    path: ['until'],
    message: checkMessage('field.notBefore', { other: 'from' }),
  });

/** Of one certificate type; null: none. */
export const quotaOfTypeSchema = z.union([limit.describe('In a calendar month'), quotaPackage]).nullable();
const quotaOfType = quotaOfTypeSchema.optional();

/** How many requests a partner may register, by certificate type. */
export const quotaSchema = z
  .strictObject(
    Object.fromEntries(certificateTypeSchema.options.map((type) => [type, quotaOfType])) as Record<
      z.infer<typeof certificateTypeSchema>,
      typeof quotaOfType
    >,
  )
  .describe(
    'Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come',
  );
export type Quota = z.infer<typeof quotaSchema>;

/** What a registration left of its partner's quota. */
export const quotaLeftSchema = z.object({ limit: z.int(), remaining: z.int() });
export type QuotaLeft = z.infer<typeof quotaLeftSchema>;
