import type { Message } from '@rubrica/contracts/messages/messages';
import type { OutboxEvent } from '@rubrica/database/outbox';
import type { IssuanceJob } from './lease-issuance.ts';

interface Announcement {
  readonly job: IssuanceJob;
  /** 0 for the first; each repetition is a separate message. */
  readonly repeat?: number;
}

/** Creates the message of an attempt that ended with a certificate. */
export function createIssuedEvent(
  { job, repeat }: Announcement,
  issued: Omit<Message<'events.certificate.issued'>, 'requestId' | 'attempt'>,
): OutboxEvent {
  const payload = { requestId: job.requestId, attempt: job.attempt, ...issued };
  return { subject: 'events.certificate.issued', id: messageId('issued', { job, repeat }), payload };
}

/** Creates the message of an attempt that failed. */
export function createFailedEvent(
  { job, repeat }: Announcement,
  code: Message<'events.certificate.failed'>['code'],
): OutboxEvent {
  const payload = {
    requestId: job.requestId,
    attempt: job.attempt,
    code,
  } satisfies Message<'events.certificate.failed'>;
  return { subject: 'events.certificate.failed', id: messageId('failed', { job, repeat }), payload };
}

/** Builds the message id: one end of one attempt is one message, however often it is written. */
function messageId(end: 'issued' | 'failed', { job, repeat = 0 }: Announcement): string {
  const first = `${end}:${job.requestId}:${job.attempt}`;
  return repeat === 0 ? first : `${first}:again-${repeat}`;
}

/** Creates the audit entry of an attempt. */
export function toIssuanceEntry<Action extends `certificate.${string}`>(
  action: Action,
  { requestId, attempt }: IssuanceJob,
  { serial = null, detail }: { readonly serial?: string | null; readonly detail: object },
) {
  return {
    action,
    actor: 'service:generation',
    request_id: requestId,
    attempt,
    serial,
    detail: JSON.stringify(detail),
  };
}
