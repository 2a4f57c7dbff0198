import { z } from 'zod';
import * as field from '../shared/fields.ts';
import type { Operation } from './operation.ts';

/** Days that one call lets pass. */
const advanceDays = z.int().min(1).max(4_000);

export const advanceShape = {
  referenceTransaction: field.referenceTransaction,
  days: advanceDays.describe('Calls add up'),
} as const;

const advancedClockSchema = z
  .object({
    referenceTransaction: z.string(),
    advancedDays: z.int().describe('In all'),
    now: z.string().describe('As this request sees it; ISO 8601 without zone'),
  })
  .meta({ id: 'AdvancedClock' });

/** What is served and described with `SANDBOX` alone. */
export const sandboxOperations = {
  advanceClock: {
    method: 'POST',
    path: '/sandbox/advance',
    tag: 'Sandbox',
    summary: 'Let days pass for one request',
    description:
      'Moves the present of one request, so that claim windows, expiry, downloads and retention can be rehearsed. What falls due is done at once. Periods of days and the 24 hours of the API flow are measured by it; codes, sessions, repeats of webhooks, quotas and what was signed are not.',
    access: 'collector:write',
    body: z.object(advanceShape).meta({ id: 'AdvanceClock' }),
    maxBodyBytes: 1024 * 1024,
    success: advancedClockSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;

export type SandboxOperationId = keyof typeof sandboxOperations;
