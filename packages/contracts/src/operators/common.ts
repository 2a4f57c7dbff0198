import { z } from 'zod';
import { familySchema, statusSchema, validationStatusSchema } from '../shared/enumerations.ts';
import { idSchema, instant, line, text } from '../shared/fields.ts';

/** What every search takes; `page` is what it gives. */
export const search = {
  cursor: text(300).optional(),
  limit: z.int().min(1).max(100).default(25),
} as const;
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** A page by a name: how far one look goes is bounded, whatever is stored. */
export function lookedPage<T extends z.ZodType>(item: T) {
  const lookedBackTo = instant
    .optional()
    .describe(
      'There where the look ended before the page was full: all that is newer was looked at, and `nextCursor` looks further back',
    );
  return page(item).extend({ lookedBackTo });
}

export const change = { reason: line(500).optional() } as const;
export const requestId = z.object({ requestId: idSchema });

export const requestRow = z.object({
  requestId: idSchema,
  family: familySchema,
  partnerId: idSchema,
  referenceTransaction: z.string(),
  identificationNumber: z.string().describe('Masked for viewers, as in every text of every answer'),
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
