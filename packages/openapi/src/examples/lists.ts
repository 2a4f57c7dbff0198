import type { listOperations } from '@rubrica/contracts/rest/lists';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { references, validity } from './applicant.ts';
import type { OperationExamples } from './example.ts';

/** A day within the period of a recovery, whenever the example is sent. */
const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

const eventId = '0197a000-7d30-7b12-9f4e-5a1c83d0e6b4';
const requestId = '0197a000-5c11-7d42-8f10-2b6c1f0e9a66';
const destination = 'https://partner.example';

const failed = {
  eventId,
  type: 'request.error',
  code: 'FINGER_CODE_MISMATCH',
  referenceTransaction: references.linkedPartner,
  destination,
  state: 'FAILED',
  attempts: 10,
  lastStatus: 503,
  lastError: 'the receiver answered 503',
  nextAttemptAt: null,
  createdDate: '2026-11-20T19:22:40.000',
  deliveredDate: null,
} as const;

export const listExamples = {
  listRequests: {
    query: { status: 'ERROR', from: '2026-11-01' },
    answer: {
      items: [
        {
          requestId,
          referenceTransaction: references.linkedPartner,
          family: 'TV',
          status: 'ERROR',
          validationStatus: 'ERROR',
          certificateType: 'TRADITIONAL_SIGNATURE',
          applicationType: 'NATURAL_PERSON',
          code: 'FINGER_CODE_MISMATCH',
          serialNumber: null,
          notAfter: null,
          certificateStatus: null,
          createdDate: '2026-11-20T19:22:39.000',
          updatedDate: '2026-11-20T19:22:40.000',
        },
      ],
      nextCursor: null,
    },
  },
  listCertificates: {
    query: { status: 'VALID', notAfterTo: '2028-01-01' },
    answer: {
      items: [
        {
          serialNumber: validity.serialNumber,
          referenceTransaction: references.linkedPartner,
          family: 'TV',
          certificateType: 'TRADITIONAL_SIGNATURE',
          status: 'VALID',
          notBefore: validity.notBefore,
          notAfter: validity.notAfter,
          revocationReason: null,
          revokedAt: null,
        },
      ],
      nextCursor: null,
    },
  },
  listEvents: {
    query: { state: 'FAILED' },
    answer: { items: [failed], nextCursor: null },
  },
  readEvent: {
    params: { eventId },
    answer: {
      ...failed,
      attemptList: [
        {
          at: '2026-11-20T19:22:40.120',
          status: 503,
          durationMs: 84,
          error: 'the receiver answered 503',
        },
      ],
      body: {
        linkedPartnerRequestId: requestId,
        referenceTransaction: references.linkedPartner,
        message: 'The fingerprint code does not match the registry',
      },
    },
  },
  resendEvent: {
    params: { eventId },
    answer: { ...failed, state: 'PENDING', nextAttemptAt: '2026-11-21T08:00:00.000' },
  },
  recoverEvents: {
    bodies: { 'Since a day': { from: yesterday } },
    answer: { resent: 3, expired: 1 },
  },
  testEvent: {
    bodies: { 'A certificate': { type: 'certificate.issued', url: `${destination}/webhooks` } },
    answer: { delivered: true, status: 200, durationMs: 12, error: null },
  },
} satisfies OperationExamples<typeof listOperations>;
