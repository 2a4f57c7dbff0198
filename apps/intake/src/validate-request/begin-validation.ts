import type { ApplicationType } from '@rubrica/contracts';
import type { SqlRunner } from '@rubrica/database';
import { transitions } from '../domain/state-machine.ts';
import type { Details } from '../request/request.entity.ts';

export interface Begun {
  readonly fence: number;
  readonly attempts: number;
  readonly identificationNumber: string;
  readonly applicationType: ApplicationType;
  readonly details: Details;
  readonly needsClaim: boolean;
  readonly evidenceErrors: readonly string[];
}

export const leaseSeconds = 60;

const { from, to, validation } = transitions.startValidation;
const states = from.map((status) => `'${status}'`).join(', ');

/** The row is taken and, the first time, the state is changed: one statement, so no crash lies between them. */
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
select fence, attempts, identification_number, application_type, details,
  password_origin = 'HOLDER' as needs_claim, callback_url,
  array(select error from evidence where request_id = begun.id and error is not null order by position) as evidence_errors
from begun`;

interface Row {
  fence: number;
  attempts: number;
  identification_number: string;
  application_type: ApplicationType;
  details: Details;
  needs_claim: boolean;
  evidence_errors: string[];
}

/**
 * Takes up one validation under a lease and a fence.
 * @returns undefined where there is nothing to do: done, overtaken by a newer attempt, or held by another copy
 */
export const beginValidation = async (
  sql: SqlRunner,
  job: { requestId: string; attempt: number; now: Date },
): Promise<Begun | undefined> => {
  const [row] = await sql.execute<Row>(text, [job.requestId, job.attempt, leaseSeconds, job.now]);
  return (
    row && {
      fence: row.fence,
      attempts: row.attempts,
      identificationNumber: row.identification_number,
      applicationType: row.application_type,
      details: row.details,
      needsClaim: row.needs_claim,
      evidenceErrors: row.evidence_errors,
    }
  );
};
