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

/** Days back that `recoverEvents` covers. */
export const maxRecoveredDays = 14;
/** Test events that a partner may send per minute. */
export const testEventsPerMinute = 10;

const localDateTime = z
  .string()
  .describe('ISO 8601 without zone, with milliseconds, in the time zone of the service');
const date = field.dateInput;
const from = date.optional().describe('This time or later');
const to = date.optional().describe('Before this time');

/** Query parameters of every list. */
const pageShape = {
  cursor: field.text(300).optional().describe('`nextCursor` of the previous page'),
  limit: z.coerce.number<number>().int().min(1).max(100).optional().describe('Items per page; default 50'),
} as const;

function pageSchema<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .object({
      items: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .describe(
          '`cursor` of the next page; `null` on the last page. A page may have fewer items than `limit`',
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
  // Not an enumeration: a refusal would list every code.
  code: field
    .lineField(60)
    .refine((code) => (errorCodes as readonly string[]).includes(code), checkMessage('field.errorCode'))
    .optional()
    .describe('Code of the error of a request, or of its refusal'),
  identificationNumber: field.lineField(20).optional(),
  referenceTransaction: field.referenceTransaction
    .min(3)
    .optional()
    .describe('Reference, or at least its first 3 characters'),
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
    code: z.string().nullable().describe('Code of the error; `null` if there is none'),
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
  eventId: field.idSchema.describe('`webhook-id` of its calls'),
  type: webhookEventTypeSchema,
  code: z.string().nullable().describe('Code of the error or refusal that the event reports'),
  referenceTransaction: z.string(),
  destination: z.string().describe('Scheme, host and port of the `callbackUrl`'),
  state: eventStateSchema,
  attempts: z.int(),
  lastStatus: z.int().nullable().describe('HTTP status of the last answer of the receiver'),
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
        'Body that is sent, with `{bytes, sha256}` instead of `file` and `password`; `null` once it was deleted',
      ),
  })
  .meta({ id: 'ShownEvent' });

const eventParams = z.object({ eventId: field.idSchema.describe('`webhook-id` of the event') });

export const recoverEventsShape = {
  from: date.describe(`Time of the events, at most ${maxRecoveredDays} days ago`),
  to: date.optional().describe('Before this time; default now'),
} as const;

export const testEventShape = {
  type: webhookEventTypeSchema,
  url: field.url.describe('Address of the receiver; the rules of `callbackUrl` apply'),
} as const;

const listErrors = ['FIELD_INVALID'] as const;

/** Lists for programs of partners: only their own records, newest first. */
export const listOperations = {
  listRequests: {
    method: 'GET',
    path: '/gateway/requests',
    tag: 'Lists',
    summary: 'List requests of all families, newest first',
    description:
      'Filters combine. Get the next page with `nextCursor` until it is `null`; requests registered meanwhile do not shift pages.',
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
    summary: 'List certificates, newest first',
    description: 'To find certificates that end soon, use `status=VALID` and `notAfterTo`.',
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
    summary: 'List webhook events and their results, newest first',
    description:
      '`PENDING` events are still tried; `FAILED` events are not. To get the file of a failed event, send it again before its content is deleted.',
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
    summary: 'Get one webhook event with its attempts and its body',
    description: 'Shows what the receiver was sent and how it answered, but never the file or the password.',
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
      'Sends the event immediately and, if that fails, repeats it on the full schedule. Id and body do not change. 409 once its content was deleted.',
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
      '`resent` counts the events that are sent again, `expired` those whose content was deleted. Events of a disabled destination wait until it is enabled; a test event that it acknowledges enables it. At most six calls per minute.',
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
    description: `Sends the event immediately and once, under the rules of real events. At most ${testEventsPerMinute} calls per minute.`,
    access: 'manager:write',
    body: z.object(testEventShape).meta({ id: 'TestEvent' }),
    maxBodyBytes: MEBIBYTE,
    success: z
      .object({
        delivered: z.boolean().describe('True if the receiver answered 2xx'),
        status: z.int().nullable(),
        durationMs: z.int(),
        error: z.string().nullable(),
      })
      .meta({ id: 'TestedEvent' }),
    errors: ['FIELD_REQUIRED', 'FIELD_INVALID', 'CALLBACK_URL_NOT_ALLOWED'],
  },
} as const satisfies Record<string, Operation>;
