import { z } from 'zod';
import { month } from '../shared/month.ts';
import { usageSchema } from '../shared/usage.ts';
import type { Operation } from './operation.ts';

export const usageQuery = z.object({
  month: month
    .optional()
    .describe('Month of registration, in the time zone of the service; default: this month'),
});

export const usageOperations = {
  usage: {
    method: 'GET',
    path: '/gateway/usage',
    tag: 'Usage',
    summary: 'Get the outcomes of the requests of a month',
    description:
      'All numbers count the requests registered in that month, in their present state. `used` is the sum of `reserved` and `issued`; `revoked` is a part of `issued`. `registered` of a family is the sum of its outcomes and of the requests that are still open.',
    access: 'status:read',
    query: usageQuery,
    maxBodyBytes: 1024 * 1024,
    success: usageSchema,
    errors: ['FIELD_INVALID'],
  },
} as const satisfies Record<string, Operation>;
