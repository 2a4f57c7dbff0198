import { z } from 'zod';
import { idSchema, instant } from '../../shared/fields.ts';
import { month } from '../../shared/month.ts';

export const deliveryLevelsInput = z.object({ month, partnerIds: z.array(idSchema).max(101) });

const partnerLevels = z.object({
  partnerId: idSchema,
  webhooks: z.int(),
  delivered: z.int(),
  atFirstAttempt: z.int(),
  p50Seconds: z.number().nullable(),
  p95Seconds: z.number().nullable(),
});

export const deliveryLevelsOutput = z.object({ items: z.array(partnerLevels), asOf: instant.nullable() });
export type DeliveryLevels = z.infer<typeof partnerLevels>;
