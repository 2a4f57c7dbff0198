import type { EntityManager } from '@mikro-orm/postgresql';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { type Database, leaseEnd, type RowGuard, runStatement } from '@rubrica/database';
import type { Language } from '../delivery/plan-message.ts';
import { evidenceRows } from '../evidence/evidence-rows.ts';
import { dueAfter } from '../request/due-after.ts';
import {
  type DependentInsert,
  type DependentWrite,
  oneStatement,
  type RequestChange,
  type Row,
} from '../request/one-statement.ts';
import { type QuotaState, quotaExceeded, readUsedUp } from '../request/quota/quota-refusal.ts';
import { takesQuota } from '../request/quota/quota-statements.ts';
import { digestEvidence, toOutline } from '../request/registered/evidence-outline.ts';
import {
  passwordSha256,
  protectRegistered,
  type RegisteredData,
} from '../request/registered/registered-data.ts';
import { requestLeaseSeconds } from '../request/request-lease.ts';
import { newWords } from '../request/request-words.ts';
import { type Transition, transitions } from '../request/state-machine.ts';
import { eventRow, toErrorColumns } from '../request/write-transition.ts';
import type { StoredPartner } from '../validation/begin-validation.ts';
import type { Registration } from './registration.ts';
import type { Carried } from './renewal/carry-evidence.ts';

export interface InsertOptions {
  readonly rows: Pick<RowGuard, 'protect'>;
  readonly registration: Registration;
  readonly input: requestsContract.RegisterInput;
  readonly errorWindowDays: number;
  readonly timeZone: string;
  /** Rows of other tables that go with it. */
  readonly sideEffects?: readonly DependentInsert[];
  /** Changes of other tables that go with it. */
  readonly writes?: readonly DependentWrite[];
  /** Who registers; `partner` where nothing is said. */
  readonly actor?: string;
  /** Its validation has begun, in this copy: it is leased, and no job is sent for it. */
  readonly begins: boolean;
  readonly renewal?: Renewal;
}

/** Of a request that renews the certificate of another. */
export interface Renewal {
  readonly formerId: string;
  /** Number of renewals that were found of that certificate, and one; taken once. */
  readonly renewalNumber: number;
  /** The former certificate is revoked once this one is issued. */
  readonly supersedes: boolean;
  readonly language: Language;
  /** What is taken over. */
  readonly evidence: Carried | undefined;
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

/** What a registration that begins needs for its validation. */
export interface Inserted {
  readonly id: string;
  readonly fence: number;
  readonly attempts: number;
  readonly language: Language;
  readonly partner: StoredPartner;
  /** After this registration; null where its partner has no quota for its type. */
  readonly quota: QuotaState | null;
}

/** Nothing but the state is changed by it: a row with an effect does not compile here. */
const { to, validation }: Transition<[]> = transitions.startValidation;

/** The first lease, as `begin-validation` takes those that follow; the sweeper looks when it has run out. */
function leaseColumns({ begins, registration: { now } }: InsertOptions): Row {
  if (!begins) return {};
  const due_at = new Date(now.getTime() + requestLeaseSeconds * 1_000);
  return { status: to, validation_status: validation, fence: 1, attempts: 1, due_at };
}

/** The data of a registration as they are protected from now on. */
export function registeredData({
  registration: one,
  input,
  renewal,
}: Pick<InsertOptions, 'registration' | 'input' | 'renewal'>): RegisteredData {
  const outlines = evidenceRows(one.id, input.evidence).map(toOutline);
  return {
    id: one.id,
    version: 1,
    family: input.family,
    partnerId: one.partnerId,
    referenceTransaction: one.referenceTransaction,
    identificationNumber: one.identificationNumber,
    applicationType: one.applicationType,
    certificateType: one.certificateType,
    period: one.period,
    callbackUrl: one.callbackUrl,
    details: one.details,
    passwordOrigin: one.passwordOrigin,
    passwordSha256: passwordSha256(input.sealedPassword),
    claimedAtRegistration: one.isClaimed,
    evidenceSha256: digestEvidence([...outlines, ...(renewal?.evidence?.outlines ?? [])]),
    renewalOf: renewal?.formerId ?? null,
    supersedes: renewal?.supersedes ?? false,
    validationAttempt: one.plan.validationAttempt,
    reviewPolicy: 'manual',
    decision: null,
  };
}

function requestRow(options: InsertOptions): Row {
  const { registration: one, input, errorWindowDays, rows } = options;
  const { plan, now } = one;
  const failed = plan.code !== null;
  const data = registeredData(options);
  return {
    ...protectRegistered(rows, data),
    password_sha256: data.passwordSha256,
    evidence_sha256: data.evidenceSha256,
    review_policy: data.reviewPolicy,
    id: one.id,
    family: input.family,
    partner_id: one.partnerId,
    reference_transaction: one.referenceTransaction,
    identification_number: one.identificationNumber,
    application_type: one.applicationType,
    certificate_type: one.certificateType,
    period: one.period,
    callback_url: one.callbackUrl,
    details: JSON.stringify(one.details),
    status: plan.status,
    validation_status: plan.validationStatus,
    validation_attempt: plan.validationAttempt,
    failed_step: failed ? 'registration' : null,
    error_code: plan.code,
    ...toErrorColumns(plan.text),
    error_at: failed ? now : null,
    observations: JSON.stringify(one.observations),
    password_origin: one.passwordOrigin,
    claimed_at_registration: one.isClaimed,
    sealed_password: input.sealedPassword ?? null,
    evidence_key: input.evidence?.key ?? null,
    expires_at: one.expiresAt,
    due_at: one.expiresAt ?? dueAfter({ ...plan, now, claimExpiresAt: null, errorWindowDays }),
    created_at: now,
    updated_at: now,
    ...renewalColumns(options),
    ...leaseColumns(options),
  };
}

/** One entry: the beginning of a validation stands for the registration by a partner that it came with. */
function timelineRow({ registration: one, begins, actor = 'partner' }: InsertOptions): Row {
  const noted = { request_id: one.id, at: one.now };
  if (begins) {
    const begun = { trigger: 'startValidation', status: to, validation_status: validation };
    return { ...noted, ...begun, actor: 'service:intake', registers: true };
  }
  const { trigger, status, validationStatus, code } = one.plan;
  return { ...noted, trigger, status, validation_status: validationStatus, code, actor };
}

function eventRows({ registration: one, rows }: InsertOptions): Row[] {
  const event = one.plan.webhookEvent;
  return event ? [eventRow(event, { requestId: one.id, now: one.now, rows })] : [];
}

const ofBegun = `fence, attempts, language,
  (select to_jsonb(partner) from partner where partner.id = request.partner_id) as partner`;

/** The lease is on the database's clock; `partner` is read as it is at that moment, where a validation asks for it. */
function insertSql(request: Row, { begins, timeZone }: InsertOptions): RequestChange {
  const columns = Object.keys(request);
  const values = columns.map((name) => `:${name}`);
  const [leaseColumn, leaseValue] = begins ? [', lease_until', `, ${leaseEnd}`] : ['', ''];
  const change = {
    sql: `insert into request (${columns.join(', ')}${leaseColumn}) values (${values.join(', ')}${leaseValue})
      on conflict do nothing returning id, created_at, fence, attempts, language, partner_id, certificate_type`,
    params: { ...request, timeZone },
    gives: takesQuota,
  };
  if (!begins) return change;
  const params = { ...change.params, leaseSeconds: requestLeaseSeconds };
  return { ...change, params, gives: `${ofBegun}, ${takesQuota}` };
}

/**
 * Writes a registration, by itself or as a part of a transaction, with its evidence and event and, unless its validation begins here, its first job. On a
 * repeated id or referenceTransaction it writes nothing.
 * @returns undefined where the id or the referenceTransaction was already there, or another renewal of its certificate
 * @throws AppError QUOTA_EXCEEDED
 */
export async function insertRegistration(
  target: Database | EntityManager,
  options: InsertOptions,
): Promise<Inserted | undefined> {
  const { registration, input, begins, renewal, sideEffects = [] } = options;
  const inserts = [
    { table: 'evidence', rows: evidenceRows(registration.id, input.evidence) },
    { table: 'timeline', rows: [timelineRow(options)] },
    { table: 'webhook_event', rows: eventRows(options) },
    ...sideEffects,
  ];
  const change = insertSql(requestRow(options), options);
  const messages = begins ? [] : registration.plan.messages;
  const writes = [
    newWords(registration.details),
    ...(renewal?.evidence?.writes ?? []),
    ...(options.writes ?? []),
  ];
  const statement = oneStatement(change, { inserts, messages, writes });
  try {
    const [inserted] = await ('statement' in target
      ? target.statement<Inserted>(statement)
      : runStatement<Inserted>(target, statement));
    return inserted;
  } catch (error) {
    const usedUp = readUsedUp(error);
    throw usedUp === undefined ? error : quotaExceeded(usedUp, registration);
  }
}
