import { z } from 'zod';
import { familySchema, statusSchema, validationStatusSchema } from '../shared/enumerations.ts';
import { idSchema, instant, lineField, text } from '../shared/fields.ts';

/** Input of every search; `page` is its output. */
export const search = {
  cursor: text(300).optional(),
  limit: z.int().min(1).max(100).default(25),
} as const;
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** Creates the page of a search by name. One call examines a bounded number of rows, however many are stored. */
export function boundedPage<T extends z.ZodType>(item: T) {
  const lookedBackTo = instant
    .optional()
    .describe(
      'Present if the search stopped before the page was full: it covered everything newer than this time, and `nextCursor` continues with older rows',
    );
  return page(item).extend({ lookedBackTo });
}

export const change = { reason: lineField(500).optional() } as const;
export const requestId = z.object({ requestId: idSchema });

export const requestRow = z.object({
  requestId: idSchema,
  family: familySchema,
  partnerId: idSchema,
  referenceTransaction: z.string(),
  identificationNumber: z.string().describe('Masked for viewers, as in all texts of all answers'),
  status: statusSchema,
  validationStatus: validationStatusSchema,
  createdDate: instant,
  updatedDate: instant,
});

export const timelineEntry = z.object({
  at: instant,
  kind: z.string(),
  status: statusSchema.nullable(),
  validationStatus: validationStatusSchema.nullable(),
  code: z.string().nullable(),
  actor: z.string(),
  reason: z.string().nullable(),
});
