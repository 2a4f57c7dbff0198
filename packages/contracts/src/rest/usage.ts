import { z } from 'zod';
import { month } from '../shared/month.ts';
import { usageSchema } from '../shared/usage.ts';
import type { Operation } from './operation.ts';

export const usageQuery = z.object({
  month: month.optional().describe('Of registration, in the time zone of the service; this one unless given'),
});

export const usageOperations = {
  usage: {
    method: 'GET',
    path: '/gateway/usage',
    tag: 'Usage',
    summary: 'What became of the requests of a month',
    description:
      'All numbers are of the requests that were registered in that month, as they stand now. `used` is `reserved` and `issued` together, `revoked` a part of `issued`; `registered` of a family is the sum of its outcomes and of what is still open.',
    access: 'status:read',
    query: usageQuery,
    maxBodyBytes: 1024 * 1024,
    success: usageSchema,
    errors: ['FIELD_INVALID'],
  },
} as const satisfies Record<string, Operation>;
