import { z } from 'zod';
import { certificateTypeSchema, familySchema } from './enumerations.ts';
import { month } from './month.ts';
import { quotaOfTypeSchema } from './quota.ts';

const count = z.int().min(0);
/** All of them are named, so that none is missing. */
function eachOf<const Name extends string, Value extends z.ZodType>(names: readonly Name[], value: Value) {
  return z.object(Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>);
}
const byType = eachOf(certificateTypeSchema.options, count);
const outcomes = z
  .object({
    registered: count.describe('All of the following, and those that are still open'),
    issued: count.describe('With a certificate'),
    refused: count,
    cancelled: count,
    expired: count,
  })
  .meta({ id: 'UsageOfFamily' });

/** What became of the requests that a partner registered in a month. Every type and family is there. */
export const usageSchema = z
  .object({
    month: month.describe('Of registration'),
    quota: eachOf(certificateTypeSchema.options, quotaOfTypeSchema).describe(
      'As it is set now, by certificate type; null: none',
    ),
    used: byType.describe('`reserved` and `issued` together: what counts against a quota'),
    reserved: byType.describe('Still open'),
    issued: byType.describe('With a certificate'),
    revoked: byType.describe('Of those that were issued'),
    byFamily: eachOf(familySchema.options, outcomes).describe('By family'),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageSchema>;
