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
      'How the receiver answered, where it did not acknowledge: its first words, without what was sent to it',
    ),
});

/** What was sent, the same at every attempt: never a value of it. */
const bodyOutline = z.object({
  bytes: z.int(),
  sha256: sha256.describe('Of the whole body, as the receiver can compute it'),
  fields: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['text', 'base64', 'secret']),
      bytes: z.int().nullable().describe('Of what is encoded, where it is base64; null of a secret'),
      sha256: sha256.nullable().describe('Of what is encoded; null where it is not base64'),
    }),
  ),
});

/** Where the webhooks of one partner go: scheme, host and port of its callback addresses. */
const destination = z.object({
  id: idSchema,
  partnerId: idSchema,
  destination: z.string(),
  state: z
    .enum(['FAILING', 'DISABLED', 'TRIAL'])
    .describe('DISABLED: events are stored and not sent; TRIAL: enabled by hand and not seen working yet'),
  failingSince: instant,
  lastFailedAt: instant,
  disabledAt: instant.nullable(),
});

const pinged = z.object({
  id: idSchema.describe('The webhook-id of the call'),
  acknowledged: z.boolean(),
  outcome: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable().describe('In plain words, never the words of the receiver'),
  durationMs: z.int(),
});

/** Operators' procedures about webhooks: events on their way, and where they go. */
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
      from: instant.describe('Time of the event, inclusive'),
      to: instant.describe('Exclusive'),
      state: z
        .enum(['EXHAUSTED', 'STOPPED', 'DELIVERED'])
        .optional()
        .describe('Absent: all that were not delivered'),
      ...change,
    }),
    output: z.object({
      count: z.int(),
      complete: z.boolean().describe('False where more are left than one call takes: call again'),
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
