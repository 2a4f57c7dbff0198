import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { ValidationCheck } from '@rubrica/contracts/rest/transactional';
import { type EntryGuard, lease, type RowGuard, type Statement } from '@rubrica/database';
import type { OutgoingMessage } from '../../base/jobs.ts';
import { auditInsert } from './audit-insert.ts';
import { dueAfter } from './due-after.ts';
import { type DependentInsert, type DependentWrite, oneStatement, type Row } from './one-statement.ts';
import type { TransitionPlan } from './plan-transition.ts';
import { givesQuotaBack } from './quota/quota-statements.ts';
import { evidenceDueAt, type RetentionDays } from './retention-of.ts';
import { type FailedStep, isTerminal, mayApply, type Trigger, transitions } from './state-machine.ts';
import { protectEvent } from './stored-event.ts';
import { protectEntry } from './timeline-mac.ts';

export interface TransitionContext {
  readonly now: Date;
  /** Protects the audit entry of the transition. */
  readonly entries: EntryGuard;
  /** Protects the rows that the transition writes. */
  readonly rows: Pick<RowGuard, 'protect'>;
  /** `partner`, `service:<name>`, `operator:<email>`, or `applicantActor`. */
  readonly actor: string;
  readonly reason?: string | undefined;
  /** Where a later retry starts again; goes with the plan's code. */
  readonly failedStep?: FailedStep | undefined;
  /** What the error concerns, where its code alone does not say it. */
  readonly fields?: readonly string[] | undefined;
  /** Which check failed, where the code alone does not say it. */
  readonly check?: ValidationCheck | undefined;
  readonly errorWindowDays: number;
  /** Dates the evidence where the request ends; left out, the sweeper dates it. */
  readonly retention?: RetentionDays;
}

/** What a transition writes apart from its own: columns of the request, rows of other tables, messages. */
export interface SideEffects {
  readonly columns?: Row;
  readonly claimExpiresAt?: Date | null;
  readonly inserts?: readonly DependentInsert[];
  readonly messages?: readonly OutgoingMessage[];
  readonly writes?: readonly DependentWrite[];
  /** SQL without parameters that reads `request.id`. */
  readonly updates?: readonly string[];
}

/** Columns of an error's text. The message is its English rendering, which the release before reads. */
export function toErrorColumns(text: ErrorText | null): Row {
  if (text === null) return { error_message: null, error_text: null };
  return { error_message: renderEnglish(text), error_text: JSON.stringify(text) };
}

/** A code leaves its reason on the record; work that starts again wipes it; an end keeps what was there. */
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
  const nothing = { error_code: null, ...toErrorColumns(null), error_at: null, failed_check: null };
  return { ...nothing, error_fields: '[]', failed_step: null };
}

/** What intake decides by itself; what operators decide is audited with its reason where they do it. */
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
 * What opens something. The evidence proves what was checked, and stays for its retention (`retention/`); so does the
 * link's hash: the link still shows what became of the request.
 */
const destroyedColumns: Row = { sealed_password: null };

const destroyingUpdates = [
  'update message set sealed_secret = null from request where message.request_id = request.id',
  'update claim_code set digest = null, sealed_key = null from request where claim_code.request_id = request.id',
  'update renewal_link set sealed_token = null from request where renewal_id = request.id',
];

/** Whatever waits, of a request that must be finished by a certain time, waits until then. */
function cellOf(name: string, { status }: TransitionPlan): string {
  return name === 'due_at' && mayApply('expireSteps', status) ? 'coalesce(expires_at, :due_at)' : `:${name}`;
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
  return { evidence_due_at: evidenceDueAt(subject, context.retention) };
}

interface LeasedRequest {
  readonly id: string;
  readonly fence: number;
}

function columnsOf(plan: TransitionPlan, context: TransitionContext, sideEffects: SideEffects): Row {
  const { now, errorWindowDays } = context;
  const due = { ...plan, now, claimExpiresAt: sideEffects.claimExpiresAt ?? null };
  return {
    status: plan.status,
    validation_status: plan.validationStatus,
    validation_attempt: plan.validationAttempt,
    generation_attempt: plan.generationAttempt,
    awaits_issuance_slot: plan.awaitsSlot,
    due_at: dueAfter({ ...due, errorWindowDays }),
    updated_at: now,
    ...errorColumns(plan, context),
    ...(plan.destroysSecrets ? destroyedColumns : {}),
    ...retentionColumns(plan, context, sideEffects),
    ...sideEffects.columns,
  };
}

/** The row of an event, with its MAC. */
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

function insertsOf(requestId: string, plan: TransitionPlan, context: TransitionContext): DependentInsert[] {
  const { now, actor, reason = null, rows } = context;
  const { status, validationStatus, code, trigger, webhookEvent } = plan;
  const state = { status, validation_status: validationStatus };
  const entry = { requestId, at: now, trigger, status, validationStatus, code, actor, reason };
  const mac = protectEntry(rows, entry);
  const noted = { request_id: requestId, at: now, trigger, ...state, code, actor, reason, mac };
  const events = webhookEvent ? [eventRow(webhookEvent, { requestId, now, rows })] : [];
  return [
    { table: 'timeline', rows: [noted] },
    { table: 'webhook_event', rows: events },
    ...auditInserts(requestId, plan, context),
  ];
}

/** Ended without a certificate: what it took of its partner's quota is free again. */
function endsWithout({ status }: TransitionPlan): boolean {
  return isTerminal(status) && status !== 'GENERATED';
}

/**
 * The one statement of a transition: state, timeline, event and messages, under the fence that the caller holds.
 * It gives no row, and has written nothing, where the fence was lost or the request is in no state that the trigger may
 * start from.
 */
export function transitionStatement(
  { id, fence }: LeasedRequest,
  plan: TransitionPlan,
  context: TransitionContext,
  sideEffects: SideEffects = {},
): Statement {
  const columns = columnsOf(plan, context, sideEffects);
  const set = Object.keys(columns).map((name) => `${name} = ${cellOf(name, plan)}`);
  const change = {
    // Whoever still works under an older fence may no longer write; nor may anybody skip a state, whatever was planned.
    sql: `update request set ${set.join(', ')}, publish_count = 0, ${lease.end}, attempts = 0,
      fence = fence + 1, version = version + 1
      where id = :id and fence = :fence and status = any(:from::text[])
      returning id, created_at, partner_id, certificate_type`,
    params: { ...columns, id, fence, from: transitions[plan.trigger].from },
    ...(endsWithout(plan) ? { gives: givesQuotaBack } : {}),
  };
  return oneStatement(change, {
    inserts: [...insertsOf(id, plan, context), ...(sideEffects.inserts ?? [])],
    messages: [...plan.messages, ...(sideEffects.messages ?? [])],
    writes: sideEffects.writes ?? [],
    updates: [...(plan.destroysSecrets ? destroyingUpdates : []), ...(sideEffects.updates ?? [])],
  });
}
