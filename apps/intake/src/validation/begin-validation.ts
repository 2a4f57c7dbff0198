import type { ApplicationType, Family, ReviewPolicy } from '@rubrica/contracts/shared/enumerations';
import type { Database, SqlRunner } from '@rubrica/database';
import type { Language } from '../delivery/plan-message.ts';
import type { Details, Observation } from '../request/request.entity.ts';
import { transitions } from '../request/state-machine.ts';

export interface Begun {
  readonly fence: number;
  readonly attempts: number;
  readonly family: Family;
  readonly identificationNumber: string;
  readonly applicationType: ApplicationType;
  readonly details: Details;
  readonly callbackUrl: string | null;
  readonly generationAttempt: number;
  readonly needsClaim: boolean;
  /** The partner's, as it is now. */
  readonly reviewPolicy: ReviewPolicy;
  readonly language: Language;
  readonly observations: readonly Observation[];
  readonly evidenceErrors: readonly string[];
  /** Names of the attachments that are there. */
  readonly attachments: readonly string[];
}

/** Longer than both registries may take together; renewed while files are checked (`keep-lease.ts`). */
export const leaseSeconds = 30;

const { from, to, validation } = transitions.startValidation;
const states = from.map((status) => `'${status}'`).join(', ');

/** Leases the row and, the first time, changes the state: one statement, so that no crash comes between them. */
const text = `
with before as (
  select id, status from request
  where id = $1 and validation_attempt = $2 and status in (${states})
    and validation_status <> 'MANUALLY_VALIDATING' and (lease_until is null or lease_until < now())
  for no key update skip locked
), begun as (
  update request set status = '${to}', validation_status = '${validation}', fence = fence + 1, attempts = attempts + 1,
    lease_until = now() + make_interval(secs => $3), updated_at = $4, version = version + 1
  from before where request.id = before.id
  returning request.*, before.status as status_before
), noted as (
  insert into timeline (request_id, at, trigger, status, validation_status, actor)
  select id, $4, 'startValidation', status, validation_status, 'service:intake' from begun where status_before <> '${to}'
)
select fence, attempts, identification_number, application_type, details, observations,
  password_origin = 'HOLDER' as needs_claim, language, callback_url, generation_attempt,
  (select partner.review_policy from partner where partner.id = begun.partner_id) as partner_review_policy,
  array(select error from evidence where request_id = begun.id and error is not null order by position) as evidence_errors,
  array(select field from evidence where request_id = begun.id and field is not null) as attachments, family
from begun`;

interface Row {
  fence: number;
  attempts: number;
  identification_number: string;
  application_type: ApplicationType;
  details: Details;
  needs_claim: boolean;
  partner_review_policy: ReviewPolicy;
  language: Language;
  callback_url: string | null;
  generation_attempt: number;
  observations: Observation[];
  evidence_errors: string[];
  attachments: string[];
  family: Family;
}

const leasedForText = `
select greatest(ceil(extract(epoch from coalesce(lease_until, now()) - now()) * 1000), 0)::int as left_ms from request
where id = $1 and validation_attempt = $2 and status in (${states}) and validation_status <> 'MANUALLY_VALIDATING'`;

/**
 * How long another copy still has the lease of this attempt; 0 where another transaction has the row locked. Undefined
 * where nothing is left to do for it.
 */
export const leasedForMs = async (
  sql: SqlRunner,
  job: { requestId: string; attempt: number },
): Promise<number | undefined> => {
  const [row] = await sql.execute<{ left_ms: number }>(leasedForText, [job.requestId, job.attempt]);
  return row?.left_ms;
};

/**
 * Begins one validation under a lease and a fence.
 * @returns undefined where it is done, overtaken by a newer attempt, or leased by another copy
 */
export const beginValidation = async (
  database: Pick<Database, 'statement'>,
  job: { requestId: string; attempt: number; now: Date },
): Promise<Begun | undefined> => {
  const params = [job.requestId, job.attempt, leaseSeconds, job.now];
  const [row] = await database.statement<Row>({ name: 'begin-validation', text, params });
  return (
    row && {
      fence: row.fence,
      attempts: row.attempts,
      identificationNumber: row.identification_number,
      applicationType: row.application_type,
      details: row.details,
      needsClaim: row.needs_claim,
      reviewPolicy: row.partner_review_policy,
      language: row.language,
      callbackUrl: row.callback_url,
      generationAttempt: row.generation_attempt,
      observations: row.observations,
      evidenceErrors: row.evidence_errors,
      attachments: row.attachments,
      family: row.family,
    }
  );
};
