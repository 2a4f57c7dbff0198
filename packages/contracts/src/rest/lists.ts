import { z } from 'zod';
import { checkMessage } from '../error-texts/check-message.ts';
import {
  applicationTypeSchema,
  certificateStatusSchema,
  certificateTypeSchema,
  familySchema,
  shownRevocationReasonSchema,
  statusSchema,
  validationStatusSchema,
} from '../shared/enumerations.ts';
import { errorCodes } from '../shared/errors.ts';
import * as field from '../shared/fields.ts';
import type { Operation } from './operation.ts';
import { webhookEventTypeSchema } from './webhooks.ts';

const MEBIBYTE = 1024 * 1024;

/** Days back that `recoverEvents` reaches. */
export const mostRecoveredDays = 14;
/** Test events that one partner may send in a minute. */
export const testEventsPerMinute = 10;

const localDateTime = z
  .string()
  .describe('ISO 8601 without zone, with milliseconds, in the time zone of the service');
const date = field.dateInput;
const from = date.optional().describe('At this time or later');
const to = date.optional().describe('Before this time');

/** Query parameters that every list takes. */
const pageShape = {
  cursor: field.text(300).optional().describe('`nextCursor` of the page before'),
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Items of a page: 50 unless given'),
} as const;

function pageSchema<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .object({
      items: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .describe(
          '`cursor` of the next page; `null` after the last one. A page may have fewer items than `limit`',
        ),
    })
    .meta({ id });
}

export const requestListQuery = z.object({
  ...pageShape,
  status: statusSchema.optional(),
  validationStatus: validationStatusSchema.optional(),
  family: familySchema.optional(),
  certificateType: certificateTypeSchema.optional(),
  // Not as an enumeration: a refusal would name all of them.
  code: field
    .line(60)
    .refine((code) => (errorCodes as readonly string[]).includes(code), checkMessage('field.errorCode'))
    .optional()
    .describe('Code of the fault that a request is in, or was refused for'),
  identificationNumber: field.line(20).optional(),
  referenceTransaction: field.referenceTransaction
    .min(3)
    .optional()
    .describe('The reference or its beginning, of at least 3 characters'),
  from: from.describe('Registered at this time or later'),
  to: to.describe('Registered before this time'),
});

const listedRequestSchema = z
  .object({
    requestId: field.idSchema,
    referenceTransaction: z.string(),
    family: familySchema,
    status: statusSchema,
    validationStatus: validationStatusSchema,
    certificateType: certificateTypeSchema,
    applicationType: applicationTypeSchema.nullable(),
    code: z.string().nullable().describe('Code of the fault; `null` where there is none'),
    serialNumber: z.string().nullable(),
    notAfter: localDateTime.nullable(),
    certificateStatus: certificateStatusSchema.nullable(),
    createdDate: localDateTime,
    updatedDate: localDateTime,
  })
  .meta({ id: 'ListedRequest' });

export const certificateListQuery = z.object({
  ...pageShape,
  status: certificateStatusSchema.optional(),
  notAfterFrom: date.optional().describe('Ends at this time or later'),
  notAfterTo: date.optional().describe('Ends before this time'),
  serialNumber: field.serialNumber.optional(),
});

const listedCertificateSchema = z
  .object({
    serialNumber: z.string(),
    referenceTransaction: z.string(),
    family: familySchema,
    certificateType: certificateTypeSchema,
    status: certificateStatusSchema,
    notBefore: localDateTime,
    notAfter: localDateTime,
    revocationReason: shownRevocationReasonSchema.nullable(),
    revokedAt: localDateTime.nullable(),
  })
  .meta({ id: 'ListedCertificate' });

/** States of an event as partners see them. */
const eventStateSchema = z.enum(['PENDING', 'DELIVERED', 'FAILED']);

export const eventListQuery = z.object({
  ...pageShape,
  type: webhookEventTypeSchema.optional(),
  state: eventStateSchema.optional(),
  referenceTransaction: field.referenceTransaction.optional(),
  from: from.describe('Happened at this time or later'),
  to: to.describe('Happened before this time'),
});

const listedEventShape = {
  eventId: field.idSchema.describe('The `webhook-id` of its calls'),
  type: webhookEventTypeSchema,
  code: z.string().nullable().describe('Code of the fault that an error or a refusal tells of'),
  referenceTransaction: z.string(),
  destination: z.string().describe('Scheme, host and port of the `callbackUrl`'),
  state: eventStateSchema,
  attempts: z.int(),
  lastStatus: z.int().nullable().describe('Status that the receiver answered last'),
  lastError: z.string().nullable(),
  nextAttemptAt: localDateTime.nullable(),
  createdDate: localDateTime,
  deliveredDate: localDateTime.nullable(),
} as const;
const listedEventSchema = z.object(listedEventShape).meta({ id: 'ListedEvent' });

const shownEventSchema = z
  .object({
    ...listedEventShape,
    attemptList: z.array(
      z
        .object({
          at: localDateTime,
          status: z.int().nullable(),
          durationMs: z.int(),
          error: z.string().nullable(),
        })
        .meta({ id: 'EventAttempt' }),
    ),
    body: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'What is sent, with `{bytes, sha256}` in the place of `file` and `password`; `null` once it was deleted',
      ),
  })
  .meta({ id: 'ShownEvent' });

const eventParams = z.object({ eventId: field.idSchema.describe('The `webhook-id` of the event') });

export const recoverEventsShape = {
  from: date.describe(`Time of the events, at most ${mostRecoveredDays} days ago`),
  to: date.optional().describe('Before this time; now unless given'),
} as const;

export const testEventShape = {
  type: webhookEventTypeSchema,
  url: field.url.describe('Where to send it, by the rules of `callbackUrl`'),
} as const;

const listErrors = ['FIELD_INVALID'] as const;

/** Lists for programs of partners: own records alone, newest first. */
export const listOperations = {
  listRequests: {
    method: 'GET',
    path: '/gateway/requests',
    tag: 'Lists',
    summary: 'Requests of all families, newest first',
    description:
      'Filters combine. Ask for the next page with `nextCursor` until it is `null`; what is registered meanwhile moves no page.',
    access: 'status:read',
    query: requestListQuery,
    maxBodyBytes: MEBIBYTE,
    success: pageSchema('RequestPage', listedRequestSchema),
    errors: listErrors,
  },
  listCertificates: {
    method: 'GET',
    path: '/gateway/certificates',
    tag: 'Lists',
    summary: 'Certificates, newest first',
    description: 'Those that end soon are found by `status=VALID` and `notAfterTo`.',
    access: 'status:read',
    query: certificateListQuery,
    maxBodyBytes: MEBIBYTE,
    success: pageSchema('CertificatePage', listedCertificateSchema),
    errors: listErrors,
  },
  listEvents: {
    method: 'GET',
    path: '/gateway/events',
    tag: 'Lists',
    summary: 'Webhook events and what became of them, newest first',
    description:
      '`PENDING` is still tried, `FAILED` is not any more: fetch its file by sending it again, until its content is deleted.',
    access: 'status:read',
    query: eventListQuery,
    maxBodyBytes: MEBIBYTE,
    success: pageSchema('EventPage', listedEventSchema),
    errors: listErrors,
  },
  readEvent: {
    method: 'GET',
    path: '/gateway/events/{eventId}',
    tag: 'Lists',
    summary: 'One webhook event with its attempts and its body',
    description: 'What a receiver is sent and how it answered; never the file or the password themselves.',
    access: 'status:read',
    params: eventParams,
    maxBodyBytes: MEBIBYTE,
    success: shownEventSchema,
    errors: ['FIELD_INVALID', 'REQUEST_NOT_FOUND'],
  },
  resendEvent: {
    method: 'POST',
    path: '/gateway/events/{eventId}/resend',
    tag: 'Lists',
    summary: 'Send one webhook event again',
    description:
      'At once and, should that fail, again by the schedule from its start. Id and body stay as they are. 409 once its content was deleted.',
    access: 'manager:write',
    params: eventParams,
    maxBodyBytes: MEBIBYTE,
    success: listedEventSchema,
    errors: ['FIELD_INVALID', 'REQUEST_NOT_FOUND', 'PAYLOAD_EXPIRED'],
  },
  recoverEvents: {
    method: 'POST',
    path: '/gateway/events/recover',
    tag: 'Lists',
    summary: 'Send all failed webhook events again',
    description:
      '`resent` counts those that are sent again, `expired` those whose content was deleted. Those of a disabled destination wait until it is enabled: a test event that it acknowledges enables it. At most six a minute.',
    access: 'manager:write',
    body: z.object(recoverEventsShape).meta({ id: 'RecoverEvents' }),
    maxBodyBytes: MEBIBYTE,
    success: z.object({ resent: z.int(), expired: z.int() }).meta({ id: 'RecoveredEvents' }),
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID'],
  },
  testEvent: {
    method: 'POST',
    path: '/gateway/events/test',
    tag: 'Lists',
    summary: 'Send a signed example event to a receiver',
    description: `Sent once, at once, by the rules that real events follow. At most ${testEventsPerMinute} a minute.`,
    access: 'manager:write',
    body: z.object(testEventShape).meta({ id: 'TestEvent' }),
    maxBodyBytes: MEBIBYTE,
    success: z
      .object({
        delivered: z.boolean().describe('Whether the receiver answered 2xx'),
        status: z.int().nullable(),
        durationMs: z.int(),
        error: z.string().nullable(),
      })
      .meta({ id: 'TestedEvent' }),
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'CALLBACK_URL_NOT_ALLOWED'],
  },
} as const satisfies Record<string, Operation>;
