import type { DependentInsert } from './one-statement.ts';

/**
 * Returns a timeline entry for something that happened to a request without changing its state; it never
 * holds a secret.
 */
export function timelineInsert(note: {
  requestId: string;
  trigger:
    | 'resendLink'
    | 'sendClaimCode'
    | 'sendDownloadCode'
    | 'sendRevokeCode'
    | 'sendRenewalCode'
    | 'revoke'
    | 'download'
    | 'retrieve';
  status: string;
  validationStatus: string;
  /** Actor: `partner`, or `applicantActor`. */
  actor: string;
  now: Date;
}): DependentInsert {
  const { requestId, trigger, status, validationStatus, actor, now } = note;
  const row = { request_id: requestId, at: now, trigger, status, validation_status: validationStatus, actor };
  return { table: 'timeline', rows: [row] };
}
