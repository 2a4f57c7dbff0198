import { z } from 'zod';
import { certificateTypeSchema } from './enumerations.ts';
import { idSchema, instant, lineField, text } from './fields.ts';

/** Terms have the same two types as certificates. */
export const termsTypeSchema = certificateTypeSchema;
export type TermsType = z.infer<typeof termsTypeSchema>;

const shape = {
  id: idSchema,
  version: z.string(),
  content: z.string(),
  type: termsTypeSchema,
  active: z.boolean(),
} as const;

export const termsSchema = z
  .object({ ...shape, createdDate: z.string().describe('ISO 8601 without zone, with milliseconds') })
  .meta({ id: 'Terms' });

/** Record as it crosses the bus. */
export const termsRecordSchema = z.object({ ...shape, createdDate: instant });
export type TermsRecord = z.infer<typeof termsRecordSchema>;

export const termsVersionLabel = lineField(60);
export const termsContent = text(200_000).min(1);
