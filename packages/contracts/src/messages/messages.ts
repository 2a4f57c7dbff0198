import { z } from 'zod';
import { webhookEventTypeSchema } from '../rest/webhooks.ts';
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts';
import { type ServiceName, shownRevocationReasonSchema } from '../shared/enumerations.ts';
import { errorCodeSchema } from '../shared/errors.ts';
import { idSchema, instant } from '../shared/fields.ts';

/**
 * Every JetStream message: its subject and its schema. Ids and codes only, never personal data or a secret;
 * whoever works on it asks the owner for the rest.
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
    /** Attributes of the subject that were cut to the length a certificate may hold: types, never values. */
    truncated: z.array(z.string().max(40)).max(20).default([]),
  }),
  'events.certificate.failed': z.object({
    requestId: idSchema,
    attempt: z.int().min(1),
    code: errorCodeSchema,
  }),
  /** Revoked, held or released, by whomever: how the certificate stands since then. Of two the higher version counts. */
  'events.certificate.status': z.object({
    requestId: idSchema,
    version: z.int().min(1),
    status: z.enum(['VALID', 'HELD', 'REVOKED']),
    reason: shownRevocationReasonSchema.nullable(),
    at: instant.nullable(),
  }),
  /** For who looks at it: it waits for a person, a reviewer has it or decided, or reviewers came or went. */
  'events.review.changed': z.object({
    requestId: idSchema,
    change: z.enum(['waiting', 'assigned', 'decided', 'presence']),
  }),
} as const;

export type MessageSubject = keyof typeof messageSchemas;
export type Message<S extends MessageSubject> = z.infer<(typeof messageSchemas)[S]>;

export interface StreamDefinition {
  readonly name: string;
  /** Whose provisioning step makes it. */
  readonly owner: ServiceName;
  readonly subjects: readonly string[];
  /** `workqueue` streams hold a job until it is acknowledged; `limits` streams hold what happened for `maxAgeMs`. */
  readonly retention: 'workqueue' | 'limits';
  /** Under `limits` retention a full stream that refused new messages would never take one again. */
  readonly discard: 'new' | 'old';
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly duplicateWindowMs: number;
  /** Ids only: what is larger is a mistake, and refused. Headers count. */
  readonly maxMessageBytes?: number;
  /** What the stream says again once it has it on file, for those who listen without a consumer. */
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

function work(name: string, owner: ServiceName, subject: string): StreamDefinition {
  return {
    name,
    owner,
    subjects: [subject],
    retention: 'workqueue',
    discard: 'new',
    // Killed at the wrong moment nats-server can forget to remove what was acknowledged; it must not pile up. A job
    // that waits longer than this is published again by its owner's sweeper.
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 256 * MEBIBYTE,
    duplicateWindowMs: 10 * MINUTE_MS,
    maxMessageBytes: 8 * 1024,
  };
}

function record(name: string, subjects: readonly string[], maxAgeMs: number): StreamDefinition {
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

/** One stream per kind of work, so that one flood cannot fill another's. */
export const streams = [
  work('JOBS_VALIDATION', 'intake', 'jobs.validation.>'),
  work('JOBS_CERTIFICATE', 'generation', 'jobs.certificate.>'),
  work('JOBS_WEBHOOK', 'notifier', 'jobs.webhook.>'),
  work('JOBS_MAIL', 'notifier', 'jobs.mail.>'),
  // A code is waited for: it must not stand behind a thousand reminders.
  work('JOBS_SMS', 'notifier', 'jobs.sms.>'),
  // nats-server passes on to other accounts what a stream says again, not what came from another account.
  {
    ...record('EVENTS', ['events.>'], 7 * DAY_MS),
    // Whoever hears an event parses it: the largest of ours has some 2 KiB, with its signature.
    maxMessageBytes: 64 * 1024,
    republish: { source: 'events.>', destination: 'live.events.>' },
  },
  record('DLQ', ['dlq.>'], 30 * DAY_MS),
  record(
    'ADVISORIES',
    ['$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>', '$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>'],
    30 * DAY_MS,
  ),
] as const satisfies readonly StreamDefinition[];

function consumer(
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
  validationJobs: consumer('JOBS_VALIDATION', 'intake', 'jobs.validation.>'),
  certificateJobs: consumer('JOBS_CERTIFICATE', 'generation', 'jobs.certificate.>'),
  webhookJobs: consumer('JOBS_WEBHOOK', 'notifier', 'jobs.webhook.>'),
  mailJobs: consumer('JOBS_MAIL', 'notifier', 'jobs.mail.>'),
  smsJobs: consumer('JOBS_SMS', 'notifier', 'jobs.sms.>'),
  certificateEvents: consumer('EVENTS', 'intake', 'events.certificate.>', 'intake-certificates'),
} as const satisfies Record<string, ConsumerDefinition>;

/**
 * Object-store bucket for evidence that is too large to travel inside a call. It is write-once: its owner, who
 * keeps the entries of its objects, has alone the right to remove what is on file.
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

/** What each service publishes to the streams; jobs and events that it cannot work on it publishes under `dlq.` too. */
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

/** The streams that a service publishes to, dead letters apart, and under which subjects, as patterns of SQL's `like`. */
export function publishedStreams(service: ServiceName) {
  const patterns = publishers[service] ?? [];
  return streams.flatMap(({ name, subjects, retention }) => {
    const held = patterns.filter((pattern) =>
      subjects.some((subject) => pattern.startsWith(subject.slice(0, -1))),
    );
    if (held.length === 0) return [];
    const likes = held.map((pattern) => `${pattern.slice(0, -1)}%`);
    return [{ name, subjects: likes, isQueue: retention === 'workqueue' }];
  });
}

/** Events that a service hears as they happen, without a consumer: what it misses it can ask for. */
export const listeners: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  gateway: ['live.events.certificate.>', 'live.events.review.>'],
};
