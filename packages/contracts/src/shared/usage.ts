import { z } from 'zod';
import { certificateTypeSchema, familySchema } from './enumerations.ts';
import { month } from './month.ts';
import { quotaOfTypeSchema } from './quota.ts';

const count = z.int().min(0);
/** Creates an object schema that requires every name. */
function createCompleteRecord<const Name extends string, Value extends z.ZodType>(
  names: readonly Name[],
  value: Value,
) {
  return z.object(Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>);
}
const byType = createCompleteRecord(certificateTypeSchema.options, count);
const outcomes = z
  .object({
    registered: count.describe('Sum of the following, plus requests that are still open'),
    issued: count.describe('Requests with a certificate'),
    refused: count,
    cancelled: count,
    expired: count,
  })
  .meta({ id: 'UsageOfFamily' });

/** Outcomes of the requests that a partner registered in a month. Every type and family is present. */
export const usageSchema = z
  .object({
    month: month.describe('Month of registration'),
    quota: createCompleteRecord(certificateTypeSchema.options, quotaOfTypeSchema).describe(
      'Present quota, by certificate type; null: none',
    ),
    used: byType.describe('Sum of `reserved` and `issued`, which counts against a quota'),
    reserved: byType.describe('Requests that are still open'),
    issued: byType.describe('Requests with a certificate'),
    revoked: byType.describe('Those of `issued` whose certificate was revoked'),
    byFamily: createCompleteRecord(familySchema.options, outcomes).describe('Outcomes by family'),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageSchema>;
