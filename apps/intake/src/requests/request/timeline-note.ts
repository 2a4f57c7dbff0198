import type { DependentInsert } from './one-statement.ts';

/** An entry of the timeline for something that happened to a request without changing its state; never a secret. */
export function timelineNote(note: {
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
  /** `partner`, or `applicantActor`. */
  actor: string;
  now: Date;
}): DependentInsert {
  const { requestId, trigger, status, validationStatus, actor, now } = note;
  const row = { request_id: requestId, at: now, trigger, status, validation_status: validationStatus, actor };
  return { table: 'timeline', rows: [row] };
}
