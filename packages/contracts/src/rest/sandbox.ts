import { z } from 'zod';
import * as field from '../shared/fields.ts';
import type { Operation } from './operation.ts';

/** Days that one call may advance the clock. */
const advanceDays = z.int().min(1).max(4_000);

export const advanceShape = {
  referenceTransaction: field.referenceTransaction,
  days: advanceDays.describe('Days to advance; calls add up'),
} as const;

const advancedClockSchema = z
  .object({
    referenceTransaction: z.string(),
    advancedDays: z.int().describe('Total days'),
    now: z.string().describe('Present time of this request; ISO 8601 without zone'),
  })
  .meta({ id: 'AdvancedClock' });

/** Operations that are served and described only with `SANDBOX`. */
export const sandboxOperations = {
  advanceClock: {
    method: 'POST',
    path: '/sandbox/advance',
    tag: 'Sandbox',
    summary: 'Advance the clock of one request',
    description:
      'Moves the present of one request forward, to test claim windows, expiry, downloads and retention. Everything that becomes due happens immediately. Periods of days and the 24 hours of the API flow use this clock; codes, sessions, webhook retries, quotas and signed data do not.',
    access: 'collector:write',
    body: z.object(advanceShape).meta({ id: 'AdvanceClock' }),
    maxBodyBytes: 1024 * 1024,
    success: advancedClockSchema,
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;

export type SandboxOperationId = keyof typeof sandboxOperations;
