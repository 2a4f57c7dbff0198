import { z } from 'zod';
import { checkMessage } from '../error-texts/check-message.ts';
import { certificateTypeSchema } from './enumerations.ts';

const limit = z.int().min(0).max(1_000_000_000);

const quotaPackage = z
  .strictObject({
    limit,
    from: z.iso.date().describe('First day, in the time zone of the service'),
    until: z.iso.date().describe('Last day'),
  })
  .refine(({ from, until }) => from <= until, {
    path: ['until'],
    message: checkMessage('field.notBefore', { other: 'from' }),
  });

/** Quota of one certificate type; null: none. */
export const quotaOfTypeSchema = z
  .union([limit.describe('Requests per calendar month'), quotaPackage])
  .nullable();
const quotaOfType = quotaOfTypeSchema.optional();

/** Number of requests that a partner may register, by certificate type. */
export const quotaSchema = z
  .strictObject(
    Object.fromEntries(certificateTypeSchema.options.map((type) => [type, quotaOfType])) as Record<
      z.infer<typeof certificateTypeSchema>,
      typeof quotaOfType
    >,
  )
  .describe(
    'Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit',
  );
export type Quota = z.infer<typeof quotaSchema>;

/** Quota of a partner after a registration. */
export const quotaLeftSchema = z.object({ limit: z.int(), remaining: z.int() });
export type QuotaLeft = z.infer<typeof quotaLeftSchema>;
