import { purgeOutbox, republishDue, type SweeperTask } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { forgetSecrets, remindHolders } from './claim/remind-holders.ts';
import { progressWithinMs } from './request/due-after.ts';
import type { RetentionDays } from './request/retention-of.ts';
import { transitions } from './request/state-machine.ts';
import { forgetEvidenceLinks } from './review/forget-evidence-links.ts';

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Wakes whatever should be moving and is not: its job was lost, or its worker died. */
const wakeStuck = republishDue({
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

const batchRows = 200;
const { from, to } = transitions.expire;
const { from: fromSteps } = transitions.expireSteps;

/**
 * Ends what nobody corrected, claimed or brought to its end in time, and destroys its secrets, in one statement. What its evidence proves
 * stays a while.
 */
const expire = ({ clock, retention }: SweepRules): SweeperTask => ({
  name: 'expire-requests',
  batchRows,
  get params() {
    return [clock(), retention.unissuedDays];
  },
  text: `
    with due as (
      select id from request where due_at <= $1
        and (status in (${quoted(from)}) or (expires_at is not null and status in (${quoted(fromSteps)})))
      order by due_at limit ${batchRows} for update skip locked
    ), expired as (
      update request set status = '${to}', due_at = null, sealed_password = null,
        evidence_due_at = $1::timestamptz + make_interval(days => $2::integer),
        lease_until = null, fence = fence + 1, version = version + 1, updated_at = $1
      from due where request.id = due.id returning request.id, status, validation_status
    ), unlinked as (
      update message set sealed_secret = null from expired where message.request_id = expired.id
    ), ended as (
      update claim_code set digest = null, sealed_key = null from expired where claim_code.request_id = expired.id
    ), noted as (
      insert into timeline (request_id, at, trigger, status, validation_status, actor)
      select id, $1, 'expire', status, validation_status, 'service:intake' from expired
    )
    select id from expired`,
});

export interface SweepRules {
  readonly clock: Clock;
  readonly retention: RetentionDays;
}

/** What people's dates decide goes by `clock`, so that a test can let days pass; what wakes workers by the database's. */
export const sweeperTasks = (rules: SweepRules): readonly SweeperTask[] => [
  wakeStuck,
  expire(rules),
  remindHolders(rules.clock),
  forgetSecrets(rules.clock),
  forgetEvidenceLinks(rules.clock),
  purgeOutbox(),
];
