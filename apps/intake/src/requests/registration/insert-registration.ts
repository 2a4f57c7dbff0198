import type { EntityManager } from '@mikro-orm/postgresql';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { type Database, runStatement } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { leaseEnd } from '@rubrica/database/lease';
import type { Language } from '../delivery/plan-message.ts';
import { toEvidenceRows } from '../evidence/evidence-file.ts';
import { computeDueAt } from '../request/compute-due-at.ts';
import {
  buildStatement,
  type DependentInsert,
  type DependentWrite,
  type RequestChange,
  type Row,
} from '../request/one-statement.ts';
import { type QuotaState, takeQuota, toQuotaError } from '../request/quota.ts';
import { digestEvidence, type EvidenceOutline, toOutline } from '../request/registered/evidence-outline.ts';
import {
  computePasswordSha256,
  protectRegistered,
  type RegisteredData,
} from '../request/registered/registered-data.ts';
import { requestLeaseSeconds } from '../request/request-lease.ts';
import { insertTermsWrite } from '../request/search-terms.ts';
import { type Transition, transitions } from '../request/state-machine.ts';
import { eventRow, toErrorColumns } from '../request/write-transition.ts';
import type { StoredPartner } from '../validation/begin-validation.ts';
import type { Registration } from './registration.ts';

export interface InsertOptions {
  readonly rows: Pick<RowGuard, 'protect'>;
  readonly registration: Registration;
  readonly input: requestsContract.RegisterInput;
  readonly errorWindowDays: number;
  readonly timeZone: string;
  /** Rows of other tables, inserted with it. */
  readonly sideEffects?: readonly DependentInsert[];
  /** Changes of other tables, made with it. */
  readonly writes?: readonly DependentWrite[];
  /** Actor that registers; `partner` by default. */
  readonly actor?: string;
  /** True if its validation has begun in this copy: it is leased, and no job is sent for it. */
  readonly begins: boolean;
  readonly renewal?: Renewal;
}

/** Evidence that a renewal carries over from the former request. */
export interface CarriedEvidence {
  readonly writes: readonly DependentWrite[];
  /** Key that opens some of it, sealed for the new request; used if no other key is given. */
  readonly key: string | null;
  /** Outlines of the rows of the new request. */
  readonly outlines: readonly EvidenceOutline[];
}

/** Renewal of the certificate of another request. */
export interface Renewal {
  readonly formerId: string;
  /** Number of renewals found of that certificate, plus one; it can be taken once. */
  readonly renewalNumber: number;
  /** True if the former certificate is revoked once this one is issued. */
  readonly supersedes: boolean;
  readonly language: Language;
  /** Evidence that is carried over. */
  readonly evidence: CarriedEvidence | undefined;
}

function renewalColumns({ renewal, input }: InsertOptions): Row {
  if (renewal === undefined) return {};
  const { formerId, renewalNumber, supersedes, language, evidence } = renewal;
  return {
    renewal_of: formerId,
    renewal_number: renewalNumber,
    supersede_due_at: supersedes ? 'infinity' : null,
    supersedes,
    language,
    evidence_key: input.evidence?.key ?? evidence?.key ?? null,
  };
}

/** Values that a begun registration needs for its validation. */
export interface Inserted {
  readonly id: string;
  readonly fence: number;
  readonly attempts: number;
  readonly language: Language;
  readonly partner: StoredPartner;
  /** Quota after this registration; null if its partner has no quota for its type. */
  readonly quota: QuotaState | null;
}

/** Only the state may change with it: a row with an effect does not compile here. */
const { to, validation }: Transition<[]> = transitions.startValidation;

/**
 * Returns the columns of the first lease, like those that `begin-validation` takes later; the sweeper looks
 * when it has expired.
 */
function leaseColumns({ begins, registration: { now } }: InsertOptions): Row {
  if (!begins) return {};
  const due_at = new Date(now.getTime() + requestLeaseSeconds * 1_000);
  return { status: to, validation_status: validation, fence: 1, attempts: 1, due_at };
}

/** Returns the data of a registration as they are protected from now on. */
export function toRegisteredData({
  registration,
  input,
  renewal,
}: Pick<InsertOptions, 'registration' | 'input' | 'renewal'>): RegisteredData {
  const outlines = toEvidenceRows(registration.id, input.evidence).map(toOutline);
  return {
    id: registration.id,
    version: 1,
    family: input.family,
    partnerId: registration.partnerId,
    referenceTransaction: registration.referenceTransaction,
    identificationNumber: registration.identificationNumber,
    applicationType: registration.applicationType,
    certificateType: registration.certificateType,
    period: registration.period,
    callbackUrl: registration.callbackUrl,
    details: registration.details,
    passwordOrigin: registration.passwordOrigin,
    passwordSha256: computePasswordSha256(input.sealedPassword),
    claimedAtRegistration: registration.isClaimed,
    evidenceSha256: digestEvidence([...outlines, ...(renewal?.evidence?.outlines ?? [])]),
    renewalOf: renewal?.formerId ?? null,
    supersedes: renewal?.supersedes ?? false,
    validationAttempt: registration.plan.validationAttempt,
    reviewPolicy: 'manual',
    decision: null,
  };
}

function requestRow(options: InsertOptions): Row {
  const { registration, input, errorWindowDays, rows } = options;
  const { plan, now } = registration;
  const failed = plan.code !== null;
  const data = toRegisteredData(options);
  return {
    ...protectRegistered(rows, data),
    password_sha256: data.passwordSha256,
    evidence_sha256: data.evidenceSha256,
    review_policy: data.reviewPolicy,
    id: registration.id,
    family: input.family,
    partner_id: registration.partnerId,
    reference_transaction: registration.referenceTransaction,
    identification_number: registration.identificationNumber,
    application_type: registration.applicationType,
    certificate_type: registration.certificateType,
    period: registration.period,
    callback_url: registration.callbackUrl,
    details: JSON.stringify(registration.details),
    status: plan.status,
    validation_status: plan.validationStatus,
    validation_attempt: plan.validationAttempt,
    failed_step: failed ? 'registration' : null,
    error_code: plan.code,
    ...toErrorColumns(plan.text),
    error_at: failed ? now : null,
    observations: JSON.stringify(registration.observations),
    password_origin: registration.passwordOrigin,
    claimed_at_registration: registration.isClaimed,
    sealed_password: input.sealedPassword ?? null,
    evidence_key: input.evidence?.key ?? null,
    expires_at: registration.expiresAt,
    due_at: registration.expiresAt ?? computeDueAt({ ...plan, now, claimExpiresAt: null, errorWindowDays }),
    created_at: now,
    updated_at: now,
    ...renewalColumns(options),
    ...leaseColumns(options),
  };
}

/**
 * Returns one timeline entry: the beginning of a validation stands for the registration by a partner with
 * which it came.
 */
function timelineRow({ registration, begins, actor = 'partner' }: InsertOptions): Row {
  const common = { request_id: registration.id, at: registration.now };
  if (begins) {
    const begun = { trigger: 'startValidation', status: to, validation_status: validation };
    return { ...common, ...begun, actor: 'service:intake', registers: true };
  }
  const { trigger, status, validationStatus, code } = registration.plan;
  return { ...common, trigger, status, validation_status: validationStatus, code, actor };
}

function eventRows({ registration, rows }: InsertOptions): Row[] {
  const event = registration.plan.webhookEvent;
  return event ? [eventRow(event, { requestId: registration.id, now: registration.now, rows })] : [];
}

const leaseColumnsSql = `fence, attempts, language,
  (select to_jsonb(partner) from partner where partner.id = request.partner_id) as partner`;

/**
 * Returns the insert. The lease is on the database's clock; `partner` is read at that moment if a validation
 * needs it.
 */
function insertSql(request: Row, { begins }: InsertOptions): RequestChange {
  const columns = Object.keys(request);
  const values = columns.map((name) => `:${name}`);
  const [leaseColumn, leaseValue] = begins ? [', lease_until', `, ${leaseEnd}`] : ['', ''];
  const sql = `insert into request (${columns.join(', ')}${leaseColumn}) values (${values.join(', ')}${leaseValue})
      on conflict do nothing returning id, created_at, fence, attempts, language, partner_id, certificate_type`;
  if (!begins) return { sql, params: request };
  return { sql, params: { ...request, leaseSeconds: requestLeaseSeconds }, gives: leaseColumnsSql };
}

/**
 * Writes a registration, alone or as a part of a transaction, with its evidence and event, and takes its quota.
 * Unless its validation begins here, its first job is written too. On a repeated id or referenceTransaction it
 * writes nothing.
 * @returns undefined if the id or the referenceTransaction existed, or another renewal of its certificate
 * @throws AppError QUOTA_EXCEEDED
 */
export async function insertRegistration(
  target: Database | EntityManager,
  options: InsertOptions,
): Promise<Inserted | undefined> {
  const { registration, input, begins, timeZone, renewal, sideEffects = [] } = options;
  const inserts = [
    { table: 'evidence', rows: toEvidenceRows(registration.id, input.evidence) },
    { table: 'timeline', rows: [timelineRow(options)] },
    { table: 'webhook_event', rows: eventRows(options) },
    ...sideEffects,
  ];
  const change = takeQuota(insertSql(requestRow(options), options), timeZone);
  const messages = begins ? [] : registration.plan.messages;
  const writes = [
    insertTermsWrite(registration.details),
    ...(renewal?.evidence?.writes ?? []),
    ...(options.writes ?? []),
  ];
  const statement = buildStatement(change, { inserts, messages, writes });
  try {
    const [inserted] = await ('statement' in target
      ? target.statement<Inserted>(statement)
      : runStatement<Inserted>(target, statement));
    return inserted;
  } catch (error) {
    throw toQuotaError(error, registration);
  }
}
