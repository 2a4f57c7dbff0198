import { z } from 'zod';
import { holdingKindSchema, holdingSchema, retentionRuleSchema } from '../services/schemas/retention.ts';
import { serviceSchema, statusSchema } from '../shared/enumerations.ts';
import { idSchema, instant, lineField, referenceTransaction } from '../shared/fields.ts';
import { waitingChange } from './approvals.ts';
import { endsPerHour, neverNeedsSecond } from './second-approver.ts';

const reason = lineField(500).describe(
  'Stored in the audit log, which is never erased: must contain no personal data',
);
const pending = z
  .array(serviceSchema)
  .describe('Services that have not confirmed yet; the call to them is repeated until they do');

const legalHold = z.object({ since: instant, reason: z.string() }).nullable();
const onRequest = z.object({ requestId: idSchema, reason });
const holdOutput = z.object({ requestId: idSchema, legalHold, pending, ...waitingChange });

const heldRequest = z.object({
  requestId: idSchema,
  referenceTransaction,
  partnerId: idSchema,
  status: statusSchema,
  isIssued: z.boolean(),
  createdAt: instant,
  legalHold,
  holdings: z.array(holdingSchema.extend({ service: serviceSchema })),
});

const erasedRequest = z.object({
  requestId: idSchema,
  refused: z.enum(['NOT_ENDED', 'LEGAL_HOLD']).nullable().describe('Reason if nothing was erased'),
  erased: z.array(holdingKindSchema),
  kept: z.array(z.object({ kind: holdingKindSchema, until: instant.nullable(), rule: retentionRuleSchema })),
});

/** Selects one request, or all requests of one applicant. */
const eraseInput = z
  .object({ requestId: idSchema.optional(), identificationNumber: lineField(20).optional(), reason })
  .refine(
    (input) => (input.requestId === undefined) !== (input.identificationNumber === undefined),
    'either requestId or identificationNumber is required',
  );

/** Operators' procedures for stored data of applicants and its retention. */
export const retentionProcedures = {
  'requests.legalHold': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: onRequest,
    output: holdOutput,
    second: neverNeedsSecond,
    alonePerHour: endsPerHour,
  },
  'requests.releaseLegalHold': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: onRequest,
    output: holdOutput,
  },
  'requests.holdings': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'reviewer',
    input: z.object({ identificationNumber: lineField(20) }),
    output: z.object({
      identificationNumber: z.string(),
      requests: z.array(heldRequest).describe('Newest first'),
      isComplete: z.boolean().describe('false if there are more requests than fit in one answer'),
      unanswered: z.array(serviceSchema).describe('Services that did not answer'),
    }),
    readsApplicants: true,
  },
  'requests.erase': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: eraseInput,
    output: z.object({
      requests: z.array(erasedRequest),
      isComplete: z.boolean().describe('false if there are more requests: call again'),
      pending,
      ...waitingChange,
    }),
  },
} as const;
