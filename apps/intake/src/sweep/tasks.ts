import { purgeOutbox, republishDue, type SweeperTask } from '@rubrica/database';
import { transitions } from '../domain/state-machine.ts';
import { progressWithinMs } from '../request/due-after.ts';
import type { RetentionDays } from '../retention/retention-of.ts';

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Wakes whatever should be moving and is not: its job was lost, or its worker died. */
const wakeStuck = republishDue({
  name: 'wake-stuck-requests',
  table: 'request',
  unfinished: `status in ('REGISTERED', 'VALIDATING', 'GENERATING') and (lease_until is null or lease_until < now())`,
  subject: `case status when 'GENERATING' then 'jobs.certificate.issue' else 'jobs.validation.requested' end`,
  payload: `jsonb_build_object('requestId', id, 'attempt',
    case status when 'GENERATING' then generation_attempt else validation_attempt end)`,
  messageId: `case status when 'GENERATING' then 'issue:' || id || ':' || generation_attempt
    else 'validate:' || id || ':' || validation_attempt end`,
  againAfterSeconds: progressWithinMs / 1000,
});

const batchRows = 200;
const { from, to } = transitions.expire;

/** Ends what nobody corrected or claimed in time, and destroys its secrets, in one statement; what its evidence proves stays a while. */
const expire = ({ unissuedDays }: RetentionDays): SweeperTask => ({
  name: 'expire-requests',
  batchRows,
  text: `
    with due as (
      select id from request where due_at <= now() and status in (${quoted(from)})
      order by due_at limit ${batchRows} for update skip locked
    ), expired as (
      update request set status = '${to}', due_at = null, sealed_password = null, claim_token_sha256 = null,
        evidence_due_at = now() + make_interval(days => $1::integer), lease_until = null, fence = fence + 1, version = version + 1, updated_at = now()
      from due where request.id = due.id returning request.id, status, validation_status
    ), unlinked as (
      update message set sealed_secret = null from expired where message.request_id = expired.id
    ), noted as (
      insert into timeline (request_id, trigger, status, validation_status, actor)
      select id, 'expire', status, validation_status, 'service:intake' from expired
    )
    select id from expired`,
  params: [unissuedDays],
});

export const sweeperTasks = ({ retention }: { retention: RetentionDays }): readonly SweeperTask[] => [
  wakeStuck,
  expire(retention),
  purgeOutbox(),
];
