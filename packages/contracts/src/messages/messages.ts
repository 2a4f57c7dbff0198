import { z } from 'zod';
import { webhookEventTypeSchema } from '../rest/webhooks.ts';
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts';
import { type ServiceName, shownRevocationReasonSchema } from '../shared/enumerations.ts';
import { errorCodeSchema } from '../shared/errors.ts';
import { idSchema, instant } from '../shared/fields.ts';

/**
 * Schema of every JetStream message, by subject. Messages hold ids and codes only, never personal data or a secret; the
 * worker asks the owner for the rest.
 */
export const messageSchemas = {
  'jobs.validation.requested': z.object({ requestId: idSchema, attempt: z.int().min(1) }),
  'jobs.certificate.issue': z.object({ requestId: idSchema, attempt: z.int().min(1) }),
  'jobs.webhook.deliver': z.object({ eventId: idSchema, type: webhookEventTypeSchema }),
  'jobs.mail.send': z.object({ messageId: idSchema }),
  'jobs.sms.send': z.object({ messageId: idSchema }),
  'events.certificate.issued': z.object({
    requestId: idSchema,
    attempt: z.int().min(1),
    certificateId: idSchema,
    serialNumber: z.string().regex(/^[0-9A-F]{2,40}$/),
    notBefore: instant,
    notAfter: instant,
    cappedBy: z.enum(['ISSUER', 'APPOINTMENT']).nullable(),
    /** Types of the subject attributes that were cut to the length a certificate may hold. Values are never sent. */
    truncated: z.array(z.string().max(40)).max(20).default([]),
  }),
  'events.certificate.failed': z.object({
    requestId: idSchema,
    attempt: z.int().min(1),
    code: errorCodeSchema,
  }),
  /**
   * Status of a certificate after a revocation, hold or release by any actor. Of two messages the higher version
   * counts.
   */
  'events.certificate.status': z.object({
    requestId: idSchema,
    version: z.int().min(1),
    status: z.enum(['VALID', 'HELD', 'REVOKED']),
    reason: shownRevocationReasonSchema.nullable(),
    at: instant.nullable(),
  }),
  /**
   * Change of a review, for consoles that show it: it waits for a reviewer, is assigned or decided, or the set of
   * reviewers who have it open changed.
   */
  'events.review.changed': z.object({
    requestId: idSchema,
    change: z.enum(['waiting', 'assigned', 'decided', 'presence']),
  }),
} as const;

export type MessageSubject = keyof typeof messageSchemas;
export type Message<S extends MessageSubject> = z.infer<(typeof messageSchemas)[S]>;

export interface StreamDefinition {
  readonly name: string;
  /** Service whose provisioning step creates the stream. */
  readonly owner: ServiceName;
  readonly subjects: readonly string[];
  /** `workqueue` streams hold a job until it is acknowledged; `limits` streams hold events for `maxAgeMs`. */
  readonly retention: 'workqueue' | 'limits';
  /** `old` under `limits` retention: a full stream that refused new messages would never accept one again. */
  readonly discard: 'new' | 'old';
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly duplicateWindowMs: number;
  /** Messages hold ids only: a larger one is a mistake and is refused. Headers count. */
  readonly maxMessageBytes?: number;
  /** Subjects under which the stream publishes each stored message again, for listeners without a consumer. */
  readonly republish?: { readonly source: string; readonly destination: string };
}

export interface ConsumerDefinition {
  readonly stream: string;
  readonly durable: string;
  readonly owner: ServiceName;
  readonly filterSubject: string;
  readonly ackWaitMs: number;
  readonly maxDeliver: number;
  readonly maxAckPending: number;
}

const MEBIBYTE = 1024 * 1024;

function defineWorkQueue(name: string, owner: ServiceName, subject: string): StreamDefinition {
  return {
    name,
    owner,
    subjects: [subject],
    retention: 'workqueue',
    discard: 'new',
    // Killed at the wrong moment, nats-server can forget to remove acknowledged messages; they must not pile up. The
    // owner's sweeper publishes a job again that waits longer than this.
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 256 * MEBIBYTE,
    duplicateWindowMs: 10 * MINUTE_MS,
    maxMessageBytes: 8 * 1024,
  };
}

function defineLimitsStream(name: string, subjects: readonly string[], maxAgeMs: number): StreamDefinition {
  return {
    name,
    owner: 'intake',
    subjects,
    retention: 'limits',
    discard: 'old',
    maxAgeMs,
    maxBytes: 256 * MEBIBYTE,
    duplicateWindowMs: 10 * MINUTE_MS,
  };
}

/** One stream per kind of work, so that a flood of one kind cannot fill the stream of another. */
export const streams = [
  defineWorkQueue('JOBS_VALIDATION', 'intake', 'jobs.validation.>'),
  defineWorkQueue('JOBS_CERTIFICATE', 'generation', 'jobs.certificate.>'),
  defineWorkQueue('JOBS_WEBHOOK', 'notifier', 'jobs.webhook.>'),
  defineWorkQueue('JOBS_MAIL', 'notifier', 'jobs.mail.>'),
  // Applicants wait for a code: it must not queue behind a thousand reminders.
  defineWorkQueue('JOBS_SMS', 'notifier', 'jobs.sms.>'),
  // nats-server forwards republished messages to other accounts, but not messages that came from another account.
  {
    ...defineLimitsStream('EVENTS', ['events.>'], 7 * DAY_MS),
    // Listeners parse each event. The largest of ours has about 2 KiB with its signature.
    maxMessageBytes: 64 * 1024,
    republish: { source: 'events.>', destination: 'live.events.>' },
  },
  defineLimitsStream('DLQ', ['dlq.>'], 30 * DAY_MS),
  defineLimitsStream(
    'ADVISORIES',
    ['$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>', '$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>'],
    30 * DAY_MS,
  ),
] as const satisfies readonly StreamDefinition[];

function defineConsumer(
  stream: string,
  owner: ServiceName,
  filterSubject: string,
  durable: string = owner,
): ConsumerDefinition {
  return {
    stream,
    durable,
    owner,
    filterSubject,
    ackWaitMs: 30_000,
    maxDeliver: -1,
    maxAckPending: 1_000,
  };
}

export const consumers = {
  validationJobs: defineConsumer('JOBS_VALIDATION', 'intake', 'jobs.validation.>'),
  certificateJobs: defineConsumer('JOBS_CERTIFICATE', 'generation', 'jobs.certificate.>'),
  webhookJobs: defineConsumer('JOBS_WEBHOOK', 'notifier', 'jobs.webhook.>'),
  mailJobs: defineConsumer('JOBS_MAIL', 'notifier', 'jobs.mail.>'),
  smsJobs: defineConsumer('JOBS_SMS', 'notifier', 'jobs.sms.>'),
  certificateEvents: defineConsumer('EVENTS', 'intake', 'events.certificate.>', 'intake-certificates'),
} as const satisfies Record<string, ConsumerDefinition>;

/**
 * Object-store bucket for evidence that is too large for a call. It is write-once: only its owner, which stores the
 * entries of its objects, may remove stored objects.
 */
export const evidenceBucket = 'EVIDENCE';

export interface BucketDefinition {
  readonly bucket: string;
  readonly owner: ServiceName;
  readonly maxBytes: number;
}

export const buckets = [
  { bucket: evidenceBucket, owner: 'intake', maxBytes: 2048 * MEBIBYTE },
] as const satisfies readonly BucketDefinition[];

/**
 * Subjects that each service publishes to the streams. Jobs and events that it cannot handle it also publishes under
 * `dlq.`.
 */
export const publishers: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  intake: [
    'jobs.validation.>',
    'jobs.certificate.>',
    'jobs.webhook.>',
    'jobs.mail.>',
    'jobs.sms.>',
    'events.review.>',
  ],
  generation: ['events.certificate.>'],
};

/**
 * Lists the streams that a service publishes to, except dead letters, with their subjects as patterns of SQL's `like`.
 */
export function publishedStreams(service: ServiceName) {
  const patterns = publishers[service] ?? [];
  return streams.flatMap(({ name, subjects, retention }) => {
    const patternsOfStream = patterns.filter((pattern) =>
      subjects.some((subject) => pattern.startsWith(subject.slice(0, -1))),
    );
    if (patternsOfStream.length === 0) return [];
    const likes = patternsOfStream.map((pattern) => `${pattern.slice(0, -1)}%`);
    return [{ name, subjects: likes, isQueue: retention === 'workqueue' }];
  });
}

/** Events that a service receives as they happen, without a consumer. It can query what it misses. */
export const listeners: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  gateway: ['live.events.certificate.>', 'live.events.review.>'],
};
