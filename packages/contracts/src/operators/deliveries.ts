import { z } from 'zod';
import { webhookEventTypeSchema } from '../rest/webhooks.ts';
import { idSchema, instant, url } from '../shared/fields.ts';
import { change, page, search } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';

const byId = z.object({ id: idSchema });
const changeById = z.object({ id: idSchema, ...change });

const delivery = z.object({
  id: idSchema,
  eventId: idSchema,
  requestId: idSchema,
  partnerId: idSchema,
  type: webhookEventTypeSchema,
  url,
  state: z.enum(['PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED']),
  attempts: z.int(),
  nextAttemptAt: instant.nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  createdAt: instant,
  deliveredAt: instant.nullable(),
  purgedAt: instant.nullable(),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const attempt = z.object({
  number: z.int(),
  startedAt: instant,
  durationMs: z.int(),
  status: z.int().nullable(),
  outcome: z.string(),
  error: z.string().nullable(),
  answer: z
    .string()
    .max(200)
    .nullable()
    .describe(
      'Beginning of the answer of a receiver that did not acknowledge, without the content that was sent to it',
    ),
});

/** Outline of the body, which is the same at every attempt, without its values. */
const bodyOutline = z.object({
  bytes: z.int(),
  sha256: sha256.describe('Digest of the whole body, which the receiver can compute too'),
  fields: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['text', 'base64', 'secret']),
      bytes: z.int().nullable().describe('Size of the decoded value for base64; null for a secret'),
      sha256: sha256.nullable().describe('Digest of the decoded value; null if it is not base64'),
    }),
  ),
});

/** Destination of a partner's webhooks: scheme, host and port of its callback addresses. */
const destination = z.object({
  id: idSchema,
  partnerId: idSchema,
  destination: z.string(),
  state: z
    .enum(['FAILING', 'DISABLED', 'TRIAL'])
    .describe(
      'DISABLED: events are stored and not sent; TRIAL: enabled manually and not confirmed by a success yet',
    ),
  failingSince: instant,
  lastFailedAt: instant,
  disabledAt: instant.nullable(),
});

const pinged = z.object({
  id: idSchema.describe('webhook-id of the call'),
  acknowledged: z.boolean(),
  outcome: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable().describe('Our own description, never text of the receiver'),
  durationMs: z.int(),
});

/** Operators' procedures for webhooks: events in delivery, and their destinations. */
export const deliveryProcedures = {
  'deliveries.search': {
    kind: 'query',
    takesTurns: true,
    service: 'notifier',
    role: 'viewer',
    input: z.object({
      ...search,
      state: delivery.shape.state.optional(),
      partnerId: idSchema.optional(),
      requestId: idSchema.optional(),
    }),
    output: page(delivery),
  },
  'deliveries.get': {
    kind: 'query',
    service: 'notifier',
    role: 'viewer',
    input: byId,
    output: delivery.extend({
      outline: bodyOutline.nullable().describe('null once the body was erased'),
      attemptLog: z.array(attempt),
    }),
  },
  'deliveries.resend': {
    kind: 'mutation',
    service: 'notifier',
    role: 'reviewer',
    input: changeById,
    output: delivery,
  },
  'deliveries.recover': {
    kind: 'mutation',
    service: 'notifier',
    role: 'reviewer',
    input: z.object({
      partnerId: idSchema,
      from: instant.describe('Earliest time of the event, inclusive'),
      to: instant.describe('Latest time of the event, exclusive'),
      state: z
        .enum(['EXHAUSTED', 'STOPPED', 'DELIVERED'])
        .optional()
        .describe('Default: all that were not delivered'),
      ...change,
    }),
    output: z.object({
      count: z.int(),
      complete: z.boolean().describe('False if more are left than one call handles: call again'),
    }),
  },
  'deliveries.ping': {
    kind: 'mutation',
    service: 'notifier',
    role: 'reviewer',
    input: z.object({ partnerId: idSchema, url, ...change }),
    output: pinged,
  },
  'deliveries.destinations': {
    kind: 'query',
    takesTurns: true,
    service: 'notifier',
    role: 'viewer',
    input: z.object({
      ...search,
      partnerId: idSchema.optional(),
      state: destination.shape.state.optional(),
    }),
    output: page(destination),
  },
  'deliveries.enableDestination': {
    kind: 'mutation',
    service: 'notifier',
    role: 'reviewer',
    input: z.object({ partnerId: idSchema, url: url.describe('Any address of the destination'), ...change }),
    output: destination,
  },
} as const satisfies Record<string, OperatorProcedure>;
