import { lease } from '@rubrica/database/lease';
import { republishDue } from '@rubrica/database/sweeper';
import { generationJobSql as generation, jobSql } from '../../base/jobs.ts';
import { progressTimeoutMs } from './compute-due-at.ts';
import { isOrderedSql } from './issuance-slots.ts';

const validation = jobSql('jobs.validation.requested', ['id', 'validation_attempt'], {
  requestId: 'id',
  attempt: 'validation_attempt',
});

function jobPartSql(part: keyof typeof validation): string {
  return `case status when 'GENERATING' then ${generation[part]} else ${validation[part]} end`;
}

/**
 * Wakes requests that should be progressing and are not: the job was lost, or the worker died. A request that
 * waits for a slot has no job yet: `issuance-slots.ts`.
 */
export const wakeStuck = republishDue({
  name: 'wake-stuck-requests',
  table: 'request',
  unfinished: `((${isOrderedSql}) or (status in ('REGISTERED', 'VALIDATING') and expires_at is null))
    and ${lease.isFree}`,
  subject: jobPartSql('subject'),
  payload: jobPartSql('payload'),
  messageId: jobPartSql('id'),
  againAfterSeconds: progressTimeoutMs / 1000,
});
