import { AppError } from '@rubrica/process/errors';
import { fakeHandlers } from '@rubrica/testkit/fakes';
import { implement } from '@rubrica/wiring';
import { statusRecord } from './fake-state.ts';
import { at } from './fake-time.ts';

const { requestId, referenceTransaction } = statusRecord();
const own = { family: 'TV', certificateType: 'TRADITIONAL_SIGNATURE' } as const;
const states = { status: 'REGISTERED', validationStatus: 'PENDING' } as const;

/** Lists of intake: one request. */
export const listCalls = {
  'requests.list': () => ({
    items: [
      {
        ...{ requestId, referenceTransaction, ...own, ...states, applicationType: 'NATURAL_PERSON' as const },
        ...{ code: null, serialNumber: null, notAfter: null, certificateStatus: null },
        ...{ createdDate: at, updatedDate: at },
      },
    ],
    nextCursor: null,
  }),
  'requests.name': () => ({
    items: [{ requestId, referenceTransaction, ...own, certificateAdvancedDays: 0 }],
  }),
} as const;

/** Lists of generation: one certificate. */
export const certificateCalls = {
  'certificates.list': () => ({
    items: [
      {
        ...{ requestId, serialNumber: '0A1B', status: 'REVOKED' as const, notBefore: at, notAfter: at },
        ...{ revocationReason: 'superseded' as const, revokedAt: at },
      },
    ],
    nextCursor: null,
  }),
} as const;

const event = {
  ...{ eventId: '0197a000-7d30-7b12-9f4e-5a1c83d0e6b4', requestId, code: 'NAME_MISMATCH' },
  ...{ type: 'request.error' as const, destination: 'https://partner.example', state: 'FAILED' as const },
  ...{ attempts: 10, lastStatus: 503, lastError: 'the receiver answered 503', nextAttemptAt: null },
  ...{ createdDate: at, deliveredDate: null },
};

/** The notifier as far as the gateway calls it for partners. */
export function fakeNotifier() {
  return implement(
    'notifier',
    fakeHandlers({
      calls: {
        'events.list': () => ({ items: [event], nextCursor: null }),
        'events.read': ({ eventId }) => ({
          ...{ ...event, eventId, body: { referenceTransaction, message: 'no' } },
          attemptList: [{ at, status: 503, durationMs: 12, error: 'the receiver answered 503' }],
        }),
        'events.resend': ({ eventId }) => ({ ...event, eventId }),
        'events.recover': ({ after }) => ({
          resent: 1,
          expired: 0,
          after: after === undefined ? requestId : null,
        }),
        'events.test': ({ url }) => {
          if (!url.startsWith('https:')) throw new AppError({ code: 'CALLBACK_URL_NOT_ALLOWED' });
          return { delivered: true, status: 200, durationMs: 12, error: null };
        },
      },
    }),
  );
}
