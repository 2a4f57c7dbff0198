import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { ApplicationType, Family, ReviewPolicy } from '@rubrica/contracts/shared/enumerations';
import type { Database, SqlRunner } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { lease, leaseEnd } from '@rubrica/database/lease';
import { emitting, type OutboxParams, outboxParams } from '@rubrica/database/outbox';
import { statement, toColumns } from '@rubrica/database/statement';
import { validationJob } from '../../base/jobs.ts';
import type { Language } from '../delivery/plan-message.ts';
import { needsClaimSql } from '../request/approval-trigger.ts';
import { digestEvidence, type EvidenceOutline, outlinesSql } from '../request/registered/evidence-outline.ts';
import { canValidate } from '../request/registered/pending-decision.ts';
import {
  isAuthentic,
  type RegisteredData,
  registeredSql,
  type StoredRegistration,
  toRegistered,
} from '../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../request/registered/request-history.ts';
import type { Details, Evidence, Observation } from '../request/request.entity.ts';
import { requestLeaseSeconds, requestLeases } from '../request/request-lease.ts';
import { type Transition, transitions } from '../request/state-machine.ts';
import { evidenceErrorsSql, readEvidenceText } from '../request/stored-text.ts';

export interface ValidationContext {
  readonly fence: number;
  readonly attempts: number;
  readonly family: Family;
  readonly identificationNumber: string;
  readonly applicationType: ApplicationType;
  readonly details: Details;
  readonly callbackUrl: string | null;
  readonly generationAttempt: number;
  readonly needsClaim: boolean;
  /** Policy of the partner at present. */
  readonly reviewPolicy: ReviewPolicy;
  readonly language: Language;
  readonly observations: readonly Observation[];
  /** Registered data that the outcome is written with. */
  readonly data: RegisteredData;
  /** Value of `RequestHistory.failures` during the validation. */
  readonly failures: number;
  readonly evidenceErrors: readonly ErrorText[];
  /** Names of the present attachments. */
  readonly attachments: readonly string[];
}

/** Row of the partner as JSON, for the guard of its fields. */
export type StoredPartner = Readonly<Record<string, unknown>> & { readonly review_policy: ReviewPolicy };

interface StoredBegun
  extends Pick<
    ValidationContext,
    'fence' | 'attempts' | 'needsClaim' | 'language' | 'generationAttempt' | 'observations'
  > {
  readonly partner: StoredPartner;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly outlines: readonly EvidenceOutline[];
  readonly errors: readonly Pick<Evidence, 'error' | 'errorText'>[];
}

interface Job {
  readonly requestId: string;
  readonly attempt: number;
}

/** The statement does nothing but change the state: a transition with an effect does not compile here. */
const { from, to, validation }: Transition<[]> = transitions.startValidation;
const isDue = `id = :requestId and validation_attempt = :attempt
  and status in (${from.map((status) => `'${status}'`).join(', ')}) and validation_status <> 'MANUALLY_VALIDATING'`;

/**
 * Leases the row and, the first time, changes the state: one statement, so that no crash comes between them.
 */
const begin = statement<Job & { readonly leaseSeconds: number; readonly now: Date }, StoredBegun>({
  name: 'begin-validation',
  groupCommit: true,
  sql: `
with before as (
  select id, status from request where ${isDue} and ${lease.isFree}
  for no key update skip locked
), begun as (
  update request set status = '${to}', validation_status = '${validation}', ${lease.take}, attempts = attempts + 1,
    updated_at = :now, version = version + 1
  from before where request.id = before.id
  returning request.*, before.status as status_before
), noted as (
  insert into timeline (request_id, at, trigger, status, validation_status, actor)
  select id, :now, 'startValidation', status, validation_status, 'service:intake' from begun where status_before <> '${to}'
)
select fence, attempts, observations, ${needsClaimSql} as "needsClaim", language, generation_attempt as "generationAttempt",
  (select to_jsonb(partner) from partner where partner.id = begun.partner_id) as partner,
  ${registeredSql('begun')} as stored, ${historySql('begun.id')} as history,
  ${outlinesSql('begun.id')} as outlines, ${evidenceErrorsSql('begun.id')} as errors
from begun`,
});

const findLeaseLeft = statement<Job, { readonly leftMs: number }>({
  name: 'left-of-validation-lease',
  groupCommit: true,
  sql: `
select greatest(ceil(extract(epoch from coalesce(lease_until, now()) - now()) * 1000), 0)::int as "leftMs"
from request where ${isDue}`,
});

/**
 * Returns how long another copy still has the lease of this attempt; 0 if another transaction has locked the
 * row.
 * @returns undefined if the attempt has nothing left to do
 */
export async function findLeaseLeftMs(sql: SqlRunner, job: Job): Promise<number | undefined> {
  const [row] = await findLeaseLeft.run(sql, job);
  return row?.leftMs;
}

/** Validation that does not begin, because the request is not as this service wrote it. */
export interface ParkedValidation {
  /** Delay until the next try: longer each time, so that others do not wait for it. */
  readonly parkedMs: number;
}

const maxParkedMs = HOUR_MS;

/**
 * Begins one validation under a lease and a fence.
 * @returns undefined if it is done, overtaken by a newer attempt, or leased by another copy
 */
export async function beginValidation(
  { database, rows }: { readonly database: Pick<Database, 'statement'>; readonly rows: RowGuard },
  job: Job & { readonly now: Date },
): Promise<ValidationContext | ParkedValidation | undefined> {
  const [row] = await begin.run(database, { ...job, leaseSeconds: requestLeaseSeconds });
  if (row === undefined) return undefined;
  if (!isAsRegistered(row, rows)) {
    await requestLeases.release(database, { id: job.requestId, fence: row.fence });
    return { parkedMs: Math.min(maxParkedMs, 1_000 * 2 ** Math.min(row.attempts, 12)) };
  }
  const { partner, stored, history, outlines, errors, ...begun } = row;
  const data = toRegistered(stored);
  const { family, identificationNumber, applicationType, details, callbackUrl } = data;
  return {
    ...begun,
    ...{ data, family, identificationNumber, applicationType, details, callbackUrl },
    failures: history.failures,
    evidenceErrors: errors.map(readEvidenceText),
    attachments: outlines.flatMap(({ field }) => field ?? []),
    reviewPolicy: toReviewPolicy(partner, rows),
  };
}

/**
 * Returns whether the request is as registered. Nothing is decided on data that this service has not
 * registered: the request keeps its state, with an alarm.
 */
function isAsRegistered({ stored, history, outlines }: StoredBegun, rows: RowGuard): boolean {
  if (!isAuthentic(rows, stored, history)) return false;
  const isDue = history.ended === 0 && canValidate(toRegistered(stored), history);
  if (isDue && stored.evidence_sha256 === digestEvidence(outlines)) return true;
  rows.reportFailed({ table: 'request', id: String(stored.id) });
  return false;
}

/**
 * Returns the review policy of a partner. A policy that someone else has written loosens nothing: the
 * strictest applies.
 */
export function toReviewPolicy(partner: StoredPartner, rows: RowGuard): ReviewPolicy {
  return rows.isIntact('partner', partner) ? partner.review_policy : 'four-eyes';
}

interface HandOverParams extends Job {
  readonly fence: number;
  /** True if it counts as an attempt; false if what it needs was unavailable. */
  readonly counts: boolean;
}

/** Ends the lease and sends the job to the stream, together. */
const handOver = statement<HandOverParams & OutboxParams>({
  name: 'hand-over-validation',
  emits: true,
  groupCommit: true,
  sql: `
with leased as (
  update request set ${lease.end}, fence = fence + 1,
    attempts = case when :counts::boolean then attempts else greatest(attempts - 1, 0) end
  where id = :requestId and fence = :fence and validation_attempt = :attempt
  returning id
)${emitting({ from: 'leased', gives: 'id' })}`,
});

/** Leaves a validation that has begun to the copy that next receives its job. */
export async function handOverValidation(
  database: Pick<Database, 'statement'>,
  job: HandOverParams,
): Promise<void> {
  await handOver.run(database, { ...job, ...outboxParams(validationJob(job.requestId, job.attempt)) });
}

const renew = statement<{
  readonly id: readonly string[];
  readonly fence: readonly number[];
  readonly leaseSeconds: number;
}>({
  name: 'renew-waiting-validations',
  // Due once the lease is over, as at registration. It waits for no lock: a row that another transaction
  // changes is renewed the next time, or has left this copy.
  sql: `
with waiting as (
  select request.id from request join unnest(:id::uuid[], :fence::int[]) as ours (id, fence)
    on request.id = ours.id and request.fence = ours.fence
  where lease_until is not null
  for no key update of request skip locked
)
update request set lease_until = ${leaseEnd}, due_at = ${leaseEnd} from waiting where request.id = waiting.id`,
});

/** Prolongs the leases of validations that have begun and are queued, unless another copy has them by now. */
export async function renewQueuedLeases(
  database: Pick<Database, 'statement'>,
  waiting: readonly { readonly job: Job; readonly begun: Pick<ValidationContext, 'fence'> }[],
): Promise<void> {
  const rows = waiting.map(({ job, begun }) => ({ id: job.requestId, fence: begun.fence }));
  await renew.run(database, { ...toColumns(rows, ['id', 'fence']), leaseSeconds: requestLeaseSeconds });
}
