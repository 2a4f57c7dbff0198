import { z } from 'zod';
import { familySchema, statusSchema, validationStatusSchema } from '../shared/enumerations.ts';
import { idSchema, instant, lineField, referenceTransaction } from '../shared/fields.ts';
import { statusRecordSchema } from '../shared/status.ts';
import { boundedPage, change, requestId, requestRow, search, timelineEntry } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';

const requestFilters = {
  status: statusSchema.optional(),
  validationStatus: validationStatusSchema.optional(),
  family: familySchema.optional(),
  partnerId: idSchema.optional(),
  identificationNumber: lineField(20)
    .optional()
    .describe('Only reviewers and administrators may search by it'),
  referenceTransaction: referenceTransaction.optional(),
  name: lineField(200)
    .optional()
    .describe('Each word must begin a word of the applicant’s names, ignoring accents and case'),
  email: lineField(100)
    .optional()
    .describe('Address or its beginning, ignoring case; only reviewers and administrators may search by it'),
  from: instant.optional().describe('Registered at this time or later'),
  to: instant.optional().describe('Registered before this time'),
} as const;

/** Operators' procedures for requests. */
export const requestProcedures = {
  'requests.search': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input: z.object({ ...search, ...requestFilters }),
    output: boundedPage(
      requestRow.extend({
        name: z.string().nullable().describe('Name of the applicant; null if it is unknown or erased'),
      }),
    ),
    readsApplicants: true,
  },
  'requests.get': {
    kind: 'query',
    service: 'intake',
    role: 'viewer',
    input: requestId,
    output: statusRecordSchema.extend({
      family: familySchema,
      partnerId: idSchema,
      callbackUrl: z.string().nullable(),
    }),
    readsApplicants: true,
  },
  'requests.timeline': {
    kind: 'query',
    service: 'intake',
    role: 'viewer',
    input: requestId,
    output: z.object({ items: z.array(timelineEntry) }),
  },
  'requests.rerun': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: requestId.extend(change),
    output: requestRow,
  },
  'requests.cancel': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: requestId.extend(change),
    output: requestRow,
  },
} as const satisfies Record<string, OperatorProcedure>;
