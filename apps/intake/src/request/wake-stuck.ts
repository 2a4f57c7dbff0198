import { republishDue } from '@rubrica/database';
import { progressWithinMs } from './due-after.ts';

/** Wakes whatever should be moving and is not: its job was lost, or its worker died. */
export const wakeStuck = republishDue({
  name: 'wake-stuck-requests',
  table: 'request',
  unfinished: `(status = 'GENERATING' or (status in ('REGISTERED', 'VALIDATING') and expires_at is null))
    and (lease_until is null or lease_until < now())`,
  subject: `case status when 'GENERATING' then 'jobs.certificate.issue' else 'jobs.validation.requested' end`,
  payload: `jsonb_build_object('requestId', id, 'attempt',
    case status when 'GENERATING' then generation_attempt else validation_attempt end)`,
  messageId: `case status when 'GENERATING' then 'issue:' || id || ':' || generation_attempt
    else 'validate:' || id || ':' || validation_attempt end`,
  againAfterSeconds: progressWithinMs / 1000,
});
