import { z } from 'zod';
import { webhookEventTypeSchema } from '../../rest/webhooks.ts';
import {
  applicationTypeSchema,
  certificateStatusSchema,
  certificateTypeSchema,
  familySchema,
  shownRevocationReasonSchema,
  statusSchema,
  validationStatusSchema,
} from '../../shared/enumerations.ts';
import {
  idSchema,
  instant,
  lineField,
  referenceTransaction,
  serialNumber,
  text,
  url,
} from '../../shared/fields.ts';

const search = { cursor: text(300).optional(), limit: z.int().min(1).max(100) } as const;
/** `from` is inclusive, `to` exclusive. */
const range = { from: instant.optional(), to: instant.optional() } as const;

function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

export const listRequestsInput = z.object({
  ...search,
  ...range,
  status: statusSchema.optional(),
  validationStatus: validationStatusSchema.optional(),
  family: familySchema.optional(),
  certificateType: certificateTypeSchema.optional(),
  code: lineField(60).optional(),
  identificationNumber: lineField(20).optional(),
  /** Beginning of the reference. */
  referencePrefix: referenceTransaction.optional(),
});
export type ListRequestsInput = z.output<typeof listRequestsInput>;

export const listRequestsOutput = page(
  z.object({
    requestId: idSchema,
    referenceTransaction: z.string(),
    family: familySchema,
    status: statusSchema,
    validationStatus: validationStatusSchema,
    certificateType: certificateTypeSchema,
    applicationType: applicationTypeSchema.nullable(),
    code: z.string().nullable(),
    serialNumber: z.string().nullable(),
    notAfter: instant.nullable(),
    certificateStatus: certificateStatusSchema.nullable(),
    createdDate: instant,
    updatedDate: instant,
  }),
);

/** Resolves the partner's requests by id, or one by reference. Requests of other partners are omitted. */
export const nameRequestsInput = z.object({
  requestIds: z.array(idSchema).max(100).default([]),
  referenceTransaction: referenceTransaction.optional(),
});
export const nameRequestsOutput = z.object({
  items: z.array(
    z.object({
      requestId: idSchema,
      referenceTransaction: z.string(),
      family: familySchema,
      certificateType: certificateTypeSchema,
      /** Days by which the sandbox has advanced the clock of its certificate. */
      certificateAdvancedDays: z.int(),
    }),
  ),
});

export const listCertificatesInput = z.object({
  ...search,
  status: certificateStatusSchema.optional(),
  notAfterFrom: instant.optional(),
  notAfterTo: instant.optional(),
  serialNumber: serialNumber.optional(),
});
export const listCertificatesOutput = page(
  z.object({
    requestId: idSchema,
    serialNumber: z.string(),
    status: certificateStatusSchema,
    notBefore: instant,
    notAfter: instant,
    revocationReason: shownRevocationReasonSchema.nullable(),
    revokedAt: instant.nullable(),
  }),
);

export const listEventsInput = z.object({
  ...search,
  ...range,
  type: webhookEventTypeSchema.optional(),
  state: z.enum(['PENDING', 'DELIVERED', 'FAILED']).optional(),
  requestId: idSchema.optional(),
});
const listedEvent = z.object({
  eventId: idSchema,
  requestId: idSchema,
  type: webhookEventTypeSchema,
  code: z.string().nullable(),
  destination: z.string(),
  state: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  nextAttemptAt: instant.nullable(),
  createdDate: instant,
  deliveredDate: instant.nullable(),
});
export const listEventsOutput = page(listedEvent);

export const ownEventInput = z.object({ eventId: idSchema });
export const resentEvent = listedEvent;
export const shownEvent = listedEvent.extend({
  attemptList: z.array(
    z.object({ at: instant, status: z.int().nullable(), durationMs: z.int(), error: z.string().nullable() }),
  ),
  body: z.record(z.string(), z.unknown()).nullable(),
});

export const recoverEventsInput = z.object({
  from: instant,
  to: instant,
  /** Last event of the previous call, if more are left than one call handles. */
  after: idSchema.optional(),
});
export const recoverEventsOutput = z.object({
  resent: z.int(),
  expired: z.int(),
  after: idSchema.nullable(),
});

export const testEventInput = z.object({ type: webhookEventTypeSchema, url });
export const testEventOutput = z.object({
  delivered: z.boolean(),
  status: z.int().nullable(),
  durationMs: z.int(),
  error: z.string().nullable(),
});
