import { lease, republishDue } from '@rubrica/database';
import { progressWithinMs } from './due-after.ts';
import { jobSql } from './jobs.ts';

const validation = jobSql('jobs.validation.requested', ['id', 'validation_attempt'], {
  requestId: 'id',
  attempt: 'validation_attempt',
});
const generation = jobSql('jobs.certificate.issue', ['id', 'generation_attempt'], {
  requestId: 'id',
  attempt: 'generation_attempt',
});

/**
 * A backlog that is published again must not move before the certificates of others; each fifth time it does, because
 * generation of the release before works on the first line alone.
 */
const generationSubject = `case when publish_count % 5 = 0 then ${generation.subject}
  else 'jobs.certificate-backlog.issue' end`;

function ofStatus(part: keyof typeof validation, ofGeneration = generation[part]): string {
  return `case status when 'GENERATING' then ${ofGeneration} else ${validation[part]} end`;
}

/** Wakes whatever should be moving and is not: its job was lost, or its worker died. */
export const wakeStuck = republishDue({
  name: 'wake-stuck-requests',
  table: 'request',
  unfinished: `(status = 'GENERATING' or (status in ('REGISTERED', 'VALIDATING') and expires_at is null))
    and ${lease.isFree}`,
  subject: ofStatus('subject', generationSubject),
  payload: ofStatus('payload'),
  messageId: ofStatus('id'),
  againAfterSeconds: progressWithinMs / 1000,
});
