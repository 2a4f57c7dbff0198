import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { ValidationCheck } from '@rubrica/contracts/rest/transactional';
import type { Statement } from '@rubrica/database/connection';
import type { EntryGuard } from '@rubrica/database/entries';
import type { RowGuard } from '@rubrica/database/guarded';
import { lease } from '@rubrica/database/lease';
import type { OutgoingMessage } from '../../base/jobs.ts';
import { auditInsert } from './audit-insert.ts';
import { computeDueAt } from './compute-due-at.ts';
import { computeEvidenceDueAt, type RetentionDays } from './determine-retention.ts';
import { buildStatement, type DependentInsert, type DependentWrite, type Row } from './one-statement.ts';
import type { TransitionPlan } from './plan-transition.ts';
import { refundQuotaSql } from './quota.ts';
import { canApply, type FailedStep, isTerminal, type Trigger, transitions } from './state-machine.ts';
import { protectEvent } from './stored-event.ts';
import { protectEntry } from './timeline-mac.ts';

export interface TransitionContext {
  readonly now: Date;
  /** Protects the audit entry of the transition. */
  readonly entries: EntryGuard;
  /** Protects the rows that the transition writes. */
  readonly rows: Pick<RowGuard, 'protect'>;
  /** Actor: `partner`, `service:<name>`, `operator:<email>`, or `applicantActor`. */
  readonly actor: string;
  readonly reason?: string | undefined;
  /** Step at which a later retry starts again; goes with the plan's code. */
  readonly failedStep?: FailedStep | undefined;
  /** Fields that the error concerns, if its code alone does not say so. */
  readonly fields?: readonly string[] | undefined;
  /** Check that failed, if the code alone does not say so. */
  readonly check?: ValidationCheck | undefined;
  readonly errorWindowDays: number;
  /** Dates the evidence if the request ends; without it the sweeper does. */
  readonly retention?: RetentionDays;
}

/** Additional writes of a transition: columns of the request, rows of other tables, messages. */
export interface SideEffects {
  readonly columns?: Row;
  readonly claimExpiresAt?: Date | null;
  readonly inserts?: readonly DependentInsert[];
  readonly messages?: readonly OutgoingMessage[];
  readonly writes?: readonly DependentWrite[];
  /** SQL without parameters that reads `request.id`. */
  readonly updates?: readonly string[];
}

/**
 * Returns the columns of an error's text. The message is its English rendering, which the previous release
 * reads.
 */
export function toErrorColumns(text: ErrorText | null): Row {
  if (text === null) return { error_message: null, error_text: null };
  return { error_message: renderEnglish(text), error_text: JSON.stringify(text) };
}

/**
 * Returns the error columns. A code leaves its reason on the record; work that starts again clears it; an end
 * keeps it.
 */
function errorColumns(plan: TransitionPlan, { now, failedStep, fields = [], check }: TransitionContext): Row {
  if (plan.code !== null) {
    const reason = {
      error_code: plan.code,
      ...toErrorColumns(plan.text),
      error_at: now,
      error_fields: JSON.stringify(fields),
      failed_check: check ?? null,
    };
    return failedStep === undefined ? reason : { ...reason, failed_step: failedStep };
  }
  if (isTerminal(plan.status)) return {};
  const cleared = { error_code: null, ...toErrorColumns(null), error_at: null, failed_check: null };
  return { ...cleared, error_fields: '[]', failed_step: null };
}

/**
 * Audit actions of intake's own decisions; decisions of operators are audited with their reason where they
 * are made.
 */
const auditedDecisions: { readonly [T in Trigger]?: string } = {
  approve: 'requests.approve',
  claim: 'claims.claim',
  dispute: 'claims.dispute',
  reportWrongData: 'claims.reportWrongData',
  passToGeneration: 'requests.approve',
  validateAgain: 'requests.validateAgain',
  passSteps: 'requests.approve',
  refuseStep: 'requests.refuse',
  refuse: 'requests.refuse',
  exceedRetries: 'requests.refuse',
};

function auditInserts(
  requestId: string,
  plan: TransitionPlan,
  { entries, actor, reason }: TransitionContext,
): DependentInsert[] {
  const action = auditedDecisions[plan.trigger];
  if (action === undefined || actor.startsWith('operator:')) return [];
  const { trigger, code, validationAttempt } = plan;
  const details = { trigger, code, validationAttempt };
  return [auditInsert(entries, { actor, action, target: `request:${requestId}`, reason, details })];
}

/**
 * Columns that hold secrets. The evidence proves what was checked, and stays for its retention
 * (`retention/`). So does the link's hash: the link still shows the outcome of the request.
 */
const destroyedColumns: Row = { sealed_password: null };

const destroyingUpdates = [
  'update message set sealed_secret = null from request where message.request_id = request.id',
  'update claim_code set digest = null, sealed_key = null from request where claim_code.request_id = request.id',
  'update renewal_link set sealed_token = null from request where renewal_id = request.id',
];

/**
 * Returns the value of a column. A request that must be finished by a certain time is due then at the latest.
 */
function toValueSql(name: string, { status }: TransitionPlan): string {
  return name === 'due_at' && canApply('expireSteps', status) ? 'coalesce(expires_at, :due_at)' : `:${name}`;
}

function retentionColumns(
  { status }: TransitionPlan,
  context: TransitionContext,
  sideEffects: SideEffects,
): Row {
  if (!isTerminal(status) || context.retention === undefined) return {};
  const notAfter = sideEffects.columns?.not_after;
  const subject = {
    status,
    endedAt: context.now,
    notAfter: notAfter === undefined ? null : new Date(notAfter as string),
  };
  return { evidence_due_at: computeEvidenceDueAt(subject, context.retention) };
}

interface LeasedRequest {
  readonly id: string;
  readonly fence: number;
}

function buildColumns(plan: TransitionPlan, context: TransitionContext, sideEffects: SideEffects): Row {
  const { now, errorWindowDays } = context;
  const due = { ...plan, now, claimExpiresAt: sideEffects.claimExpiresAt ?? null };
  return {
    status: plan.status,
    validation_status: plan.validationStatus,
    validation_attempt: plan.validationAttempt,
    generation_attempt: plan.generationAttempt,
    awaits_issuance_slot: plan.awaitsSlot,
    due_at: computeDueAt({ ...due, errorWindowDays }),
    updated_at: now,
    ...errorColumns(plan, context),
    ...(plan.destroysSecrets ? destroyedColumns : {}),
    ...retentionColumns(plan, context, sideEffects),
    ...sideEffects.columns,
  };
}

/** Returns the row of an event, with its MAC. */
export function eventRow(
  event: NonNullable<TransitionPlan['webhookEvent']>,
  {
    requestId,
    now,
    rows,
  }: { readonly requestId: string; readonly now: Date; readonly rows: Pick<RowGuard, 'protect'> },
): Row {
  const mac = protectEvent(rows, { ...event, requestId, occurredAt: now });
  return { ...event, request_id: requestId, occurred_at: now, mac };
}

function buildInserts(
  requestId: string,
  plan: TransitionPlan,
  context: TransitionContext,
): DependentInsert[] {
  const { now, actor, reason = null, rows } = context;
  const { status, validationStatus, code, trigger, webhookEvent } = plan;
  const state = { status, validation_status: validationStatus };
  const entry = { requestId, at: now, trigger, status, validationStatus, code, actor, reason };
  const mac = protectEntry(rows, entry);
  const row = { request_id: requestId, at: now, trigger, ...state, code, actor, reason, mac };
  const events = webhookEvent ? [eventRow(webhookEvent, { requestId, now, rows })] : [];
  return [
    { table: 'timeline', rows: [row] },
    { table: 'webhook_event', rows: events },
    ...auditInserts(requestId, plan, context),
  ];
}

/** Returns whether it ends without a certificate: its part of the partner's quota is free again. */
function endsWithoutCertificate({ status }: TransitionPlan): boolean {
  return isTerminal(status) && status !== 'GENERATED';
}

/**
 * Builds the statement of a transition: state, timeline, event and messages, under the fence that the caller
 * holds. It returns no row, and has written nothing, if the fence was lost or the trigger may not start from
 * the request's state.
 */
export function transitionStatement(
  { id, fence }: LeasedRequest,
  plan: TransitionPlan,
  context: TransitionContext,
  sideEffects: SideEffects = {},
): Statement {
  const columns = buildColumns(plan, context, sideEffects);
  const set = Object.keys(columns).map((name) => `${name} = ${toValueSql(name, plan)}`);
  const change = {
    // A worker under an older fence may no longer write, and no plan may skip a state.
    sql: `update request set ${set.join(', ')}, publish_count = 0, ${lease.end}, attempts = 0,
      fence = fence + 1, version = version + 1
      where id = :id and fence = :fence and status = any(:from::text[])
      returning id, created_at, partner_id, certificate_type`,
    params: { ...columns, id, fence, from: transitions[plan.trigger].from },
    ...(endsWithoutCertificate(plan) ? { gives: refundQuotaSql } : {}),
  };
  return buildStatement(change, {
    inserts: [...buildInserts(id, plan, context), ...(sideEffects.inserts ?? [])],
    messages: [...plan.messages, ...(sideEffects.messages ?? [])],
    writes: sideEffects.writes ?? [],
    updates: [...(plan.destroysSecrets ? destroyingUpdates : []), ...(sideEffects.updates ?? [])],
  });
}
